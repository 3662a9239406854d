import SXKeyCommands

Program.main()
