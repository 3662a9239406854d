print("sxkey")
