/// Python that writes PNG and JPEG files byte by byte, so that a test can write ones that no library would.
enum PictureWriters {
    static let python = #"""
        import os, struct, sys, zlib

        folder = sys.argv[1]
        # The matrices of three QR codes, as lines of 0 and 1.
        codes = [[[int(c) for c in row] for row in text.split()] for text in sys.stdin.read().split("\n\n") if text]

        def write(name, data):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)

        # --- grey pictures: lists of rows of 0...255

        def drawn(matrix, scale=4, quiet=4, dark=0, light=255):
            side = len(matrix) + 2 * quiet
            rows = [[light] * side for _ in range(side)]
            for y, row in enumerate(matrix):
                for x, bit in enumerate(row):
                    if bit: rows[y + quiet][x + quiet] = dark
            return [[v for v in row for _ in range(scale)] for row in rows for _ in range(scale)]

        def rotated(rows, degrees):
            import math
            side = int(len(rows) * 1.5)
            c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
            result = []
            for y in range(side):
                line = []
                for x in range(side):
                    dx, dy = x - side / 2, y - side / 2
                    u, v = int(c * dx + s * dy + len(rows) / 2), int(-s * dx + c * dy + len(rows) / 2)
                    line.append(rows[v][u] if 0 <= v < len(rows) and 0 <= u < len(rows) else 255)
                result.append(line)
            return result

        # --- PNG

        def chunk(kind, data, crc=None):
            crc = zlib.crc32(kind + data) if crc is None else crc
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc)

        SIGNATURE = b"\x89PNG\r\n\x1a\n"
        END = chunk(b"IEND", b"")

        def header(width, height, depth, kind, interlace=0):
            return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, interlace))

        def packed(samples, depth):
            if depth == 16: return b"".join(struct.pack(">H", s) for s in samples)
            if depth == 8: return bytes(samples)
            bits = "".join(format(s, f"0{depth}b") for s in samples)
            bits += "0" * (-len(bits) % 8)
            return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))

        ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]

        def image_data(pixels, depth, interlace):
            """`pixels`: rows of tuples of samples."""
            passes = ADAM7 if interlace else [(0, 0, 1, 1)]
            raw = b""
            for x0, y0, dx, dy in passes:
                for row in pixels[y0::dy]:
                    part = [s for pixel in row[x0::dx] for s in pixel]
                    if part: raw += b"\0" + packed(part, depth)
            return zlib.compress(raw, 1)

        def png(pixels, depth, kind, interlace=0, before=b"", after=b""):
            return (SIGNATURE + header(len(pixels[0]), len(pixels), depth, kind, interlace) + before
                    + chunk(b"IDAT", image_data(pixels, depth, interlace)) + after + END)

        def grey_png(rows, depth=8, **more):
            top = (1 << depth) - 1
            return png([[(v * top // 255,) for v in row] for row in rows], depth, 0, **more)

        # --- JPEG: every block of 8 x 8 has one value, so there is nothing to transform

        def segment(marker, data):
            return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data

        SOI, EOI = b"\xff\xd8", b"\xff\xd9"
        QUANTIZATION = segment(0xDB, b"\0" + b"\x08" * 64)
        # Twelve codes of four bits for the sizes of differences, one of one bit for "nothing more in this block".
        HUFFMAN = segment(0xC4, b"\0" + bytes([0, 0, 0, 12] + [0] * 12) + bytes(range(12))) \
            + segment(0xC4, b"\x10" + bytes([1] + [0] * 15) + b"\0")
        ADOBE_CMYK = segment(0xEE, b"Adobe\0\x64\0\0\0\0\0")

        def frame(width, height, components, marker=0xC0, precision=8):
            parts = b"".join(bytes([i + 1, 0x11, 0]) for i in range(components))
            return segment(marker, struct.pack(">BHHB", precision, height, width, components) + parts)

        def scan_header(components, last=63, first=0):
            parts = b"".join(bytes([i + 1, 0]) for i in components)
            return segment(0xDA, bytes([len(components)]) + parts + bytes([first, last, 0]))

        def scan_data(blocks, progressive):
            bits, before = [], [0] * len(blocks[0])
            for block in blocks:
                for i, value in enumerate(block):
                    difference = value - 128 - before[i]
                    before[i] = value - 128
                    size = abs(difference).bit_length()
                    bits.append(format(size, "04b"))
                    if size: bits.append(format(difference if difference > 0 else difference + (1 << size) - 1, f"0{size}b"))
                    if not progressive: bits.append("0")
            text = "".join(bits)
            text += "1" * (-len(text) % 8)
            return bytes(int(text[i:i + 8], 2) for i in range(0, len(text), 8)).replace(b"\xff", b"\xff\0")

        def jpeg(rows, color=lambda v: (v,), marker=0xC0, before=b"", between=b"", after=b""):
            """One block of the picture for each value of `rows`."""
            blocks = [color(v) for row in rows for v in row]
            components = len(blocks[0])
            progressive = marker == 0xC2
            if progressive:
                # The other coefficients, all 0: else a decoder makes some up to smooth the picture.
                nothing = bytes(len(blocks) // 8) + bytes([0xFF >> len(blocks) % 8]) * (len(blocks) % 8 > 0)
                after = b"".join(scan_header([i], 63, 1) + nothing for i in range(components)) + after
            return (SOI + before + QUANTIZATION + frame(8 * len(rows[0]), 8 * len(rows), components, marker) + between
                    + HUFFMAN + scan_header(range(components), 0 if progressive else 63)
                    + scan_data(blocks, progressive) + after + EOI)

        """#
}
