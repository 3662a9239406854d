import SystemIO
import Testing

@Suite("layers of the sources")
struct LayeringTests {
    @Test("a source imports only what its layer may see", arguments: layers)
    func imports(rule: LayerRule) throws {
        let files = try Repository.files(below: "Sources/" + rule.target).filter { $0.path.hasSuffix(".swift") }
        #expect(!files.isEmpty)
        for file in files {
            #expect(Rule.forbiddenImports(in: file.text, of: rule) == [], "\(file.path)")
        }
    }

    @Test("pure targets have no word for pointers in them", arguments: layers.filter(\.isPure))
    func purity(rule: LayerRule) throws {
        for file in try Repository.files(below: "Sources/" + rule.target) {
            #expect(Rule.unsafeWords(in: file.text) == [], "\(file.path)")
        }
    }

    @Test("every folder of Sources is a layer, a system module or the shim")
    func folders() throws {
        let expected = Set(layers.map(\.target)).union(systemModules).union(shims)
        #expect(try Set(Repository.names(in: "Sources")) == expected)
    }

    @Test("a system module is a module map and a shim.h, nothing else", arguments: systemModules.sorted())
    func modules(name: String) throws {
        #expect(try Repository.names(in: "Sources/" + name) == ["module.modulemap", "shim.h"])
    }

    @Test("the package gives every layer the strict settings, and every test warnings as errors")
    func settings() throws {
        let words = SwiftText.words(of: SwiftText.code(of: try Repository.text(of: "Package.swift")))
        let pairs = Array(zip(words, words.dropFirst()))
        let targets = words.count { ["target", "executableTarget", "testTarget"].contains($0) }
        let withoutSwift = shims.count + testShims.count
        let strict = pairs.count { $0 == "swiftSettings" && $1 == "strict" }
        #expect(strict == layers.count)
        #expect(strict + pairs.count { $0 == "swiftSettings" && $1 == "testing" } == targets - withoutSwift)
        #expect(words.contains("strictMemorySafety") && words.contains("treatAllWarnings"))
    }
}

@Suite("the layering rules can fail")
struct LayeringRuleTests {
    private let rule = LayerRule(target: "SophaxCore", mayImport: ["CryptoPrimitives"])

    @Test(
        "an import that is not allowed is found however it is written",
        arguments: [
            "import Foundation", "  import Foundation", "public import Foundation", "package import Foundation.NSData",
            "@testable import Foundation", "@_spi(Some) import Foundation", "import struct Foundation.Data",
            "@preconcurrency package import Foundation", "let a = 1; import Foundation", "/* c */ import Foundation",
            "import CryptoPrimitives\nimport Foundation\n", "import Foundation // why",
        ]
    )
    func found(text: String) {
        #expect(Rule.forbiddenImports(in: Array(text.utf8), of: rule) == ["Foundation"])
    }

    @Test(
        "what only looks like an import is none",
        arguments: [
            "// import Foundation", "/* import\nimport Foundation */", "let a = \"import Foundation\"",
            "let a = \"\"\"\nimport Foundation\n\"\"\"", "let a = #\"\"\"\n\"\"\"\nimport Foundation\n\"\"\"#",
            "let important = 1", "import CryptoPrimitives", "/* /* nested */\nimport Foundation */",
        ]
    )
    func none(text: String) {
        #expect(Rule.forbiddenImports(in: Array(text.utf8), of: rule) == [])
    }

    @Test("pointers are found in code and in interpolations, not in comments and texts")
    func words() {
        let sample = """
            let a = unsafe b.withUnsafeBytes { $0 } // unsafe here is a comment
            let c = "unsafe \\(unsafe d) \\"unsafe\\"" /* unsafe /* nested */ unsafe */
            let e: UnsafeRawPointer
            """
        let expected = ["unsafe", "withUnsafeBytes", "unsafe", "UnsafeRawPointer"]
        #expect(Rule.unsafeWords(in: Array(sample.utf8)) == expected)
        #expect(Rule.unsafeWords(in: Array("let https = \"https://a\"; unsafe x".utf8)) == ["unsafe"])
        #expect(Rule.unsafeWords(in: Array("let a = f(\"x\\(g(1))\") + unsafe h".utf8)) == ["unsafe"])
    }
}
