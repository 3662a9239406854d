/// Python, after `PictureWriters.python`, that writes one file for each case. The name says what must come out:
/// `ok-N--…` is N codes, any other word before `--` the helper's word for the error.
enum PictureCases {
    static let python = #"""
        one = drawn(codes[0])
        size = len(one)
        small = drawn(codes[0], 1)
        plain = grey_png(one)
        photo = jpeg(small)

        # --- what is read

        for depth in (1, 2, 4, 8, 16):
            for interlace in (0, 1):
                write(f"ok-1--grey-{depth}-{interlace}.png", grey_png(one, depth, interlace=interlace))
        palette = chunk(b"PLTE", bytes([250, 240, 200, 10, 20, 60]))
        for depth in (1, 2, 4, 8):
            pixels = [[(0 if v else 1,) for v in row] for row in one]
            write(f"ok-1--palette-{depth}.png", png(pixels, depth, 3, before=palette))
            write(f"ok-1--palette-transparent-{depth}.png", png(pixels, depth, 3, before=palette + chunk(b"tRNS", b"\0\xff")))
        for depth in (8, 16):
            top = (1 << depth) - 1
            for name, kind, color in (
                    ("grey-alpha", 4, lambda v: (v * top // 255, top)), ("rgb", 2, lambda v: (v * top // 255,) * 3),
                    ("rgba", 6, lambda v: (v * top // 255,) * 3 + (top,)),
                    ("black-on-nothing", 6, lambda v: (0, 0, 0, 0 if v else top)),
                    ("nothing-on-white", 6, lambda v: (top, top, top, top if v else 0)),
                    ("white-on-nothing", 6, lambda v: (top, top, top, 0 if v else top))):
                for interlace in (0, 1):
                    pixels = [[color(v) for v in row] for row in one]
                    write(f"ok-1--{name}-{depth}-{interlace}.png", png(pixels, depth, kind, interlace=interlace))
        write("ok-1--transparent-colour.png", grey_png(one, before=chunk(b"tRNS", b"\0\xff")))
        write("ok-1--light-on-dark.png", grey_png([[255 - v for v in row] for row in one]))
        write("ok-1--weak.png", grey_png(drawn(codes[0], dark=80, light=180)))
        write("ok-1--one-pixel-a-module.png", grey_png(drawn(codes[0], 1)))
        write("ok-1--two-pixels-a-module.png", grey_png(drawn(codes[0], 2)))
        write("ok-1--no-quiet-zone.png", grey_png(drawn(codes[0], 5, 0)))
        write("ok-1--light-on-dark-no-quiet-zone.png", grey_png(drawn(codes[0], 5, 0, 255, 0)))
        write("ok-1--modules-of-40-pixels.png", grey_png(drawn(codes[0], 40)))
        for degrees in (17, 45, 90, 180, 270, 301):
            write(f"ok-1--rotated-{degrees}.png", grey_png(rotated(one, degrees)))
        three = [drawn(code, 4) for code in codes[:3]]
        height = max(len(rows) for rows in three)
        three = [rows + [[255] * len(rows[0])] * (height - len(rows)) for rows in three]
        write("ok-3--side-by-side.png", grey_png([sum(parts, []) for parts in zip(*three)]))
        write("ok-1--twice-the-same.png", grey_png([row + row for row in one]))
        mixed = [a + [255 - v for v in b] for a, b in zip(drawn(codes[0]), drawn(codes[0]))]
        write("ok-1--both-ways-round.png", grey_png(mixed))
        bomb = zlib.compress(bytes(1 << 26), 9)
        write("ok-1--text-bomb.png", grey_png(one, before=chunk(b"zTXt", b"Comment\0\0" + bomb)))
        write("ok-1--profile-bomb.png", grey_png(one, before=chunk(b"iCCP", b"p\0\0" + bomb)))
        write("ok-1--many-texts.png", grey_png(one, before=chunk(b"tEXt", b"a\0b") * 20000))
        write("ok-1--wrong-checksum-of-a-text.png", grey_png(one, before=chunk(b"tEXt", b"a\0b", crc=1)))
        write("ok-1--something-after-it.png", plain + b"PK\3\4" * 1000)
        write("ok-1--split-data.png", SIGNATURE + header(size, size, 8, 0)
              + b"".join(chunk(b"IDAT", bytes([b])) for b in image_data([[(v,) for v in row] for row in one], 8, 0)) + END)
        write("ok-1--unknown-chunk.png", grey_png(one, before=chunk(b"abCd", bytes(100))))
        write("ok-0--nothing-on-it.png", grey_png([[255] * 100] * 100))
        write("ok-0--one-pixel.png", grey_png([[0]]))
        write("ok-0--one-row.png", grey_png([[0, 255] * 2000]))
        write("ok-0--more-data-than-rows.png", SIGNATURE + header(1, 1, 8, 0) + chunk(b"IDAT", bomb) + END)
        import random
        random.seed(1)
        write("ok-0--noise.png", grey_png([[random.choice((0, 255)) for _ in range(600)] for _ in range(600)]))
        finder = [[v for v in row] for row in drawn([row[:7] for row in codes[0][:7]], 2, 1)]
        write("ok-0--full-of-finders.png", grey_png([row * 30 for row in finder] * 30))

        for marker, name in ((0xC0, "baseline"), (0xC1, "extended"), (0xC2, "progressive")):
            write(f"ok-1--{name}.jpg", jpeg(small, marker=marker))
            write(f"ok-1--{name}-colour.jpg", jpeg(small, lambda v: (v, 110, 150), marker))
            write(f"ok-1--{name}-cmyk.jpg", jpeg(small, lambda v: (v, v, v, v), marker, ADOBE_CMYK))
        write("ok-1--exif.jpg", jpeg(small, before=segment(0xE1, b"Exif\0\0" + bytes(60000)) + segment(0xFE, b"comment")))
        write("ok-1--thumbnail.jpg", jpeg(small, before=segment(0xE1, jpeg([[0] * 20] * 20))))
        write("ok-1--fill-bytes.jpg", jpeg(small, between=b"\xff" * 9))
        write("ok-1--something-after-it.jpg", photo + photo[:1000] + b"ftypmp42")
        write("ok-0--nothing-on-it.jpg", jpeg([[255] * 9] * 9))

        # --- what is not

        for name, data in (
                ("empty", b""), ("one-byte", b"\x89"), ("gif", b"GIF89a" + bytes(100)), ("bmp", b"BM" + bytes(100)),
                ("webp", b"RIFF\x24\0\0\0WEBPVP8 " + bytes(20)), ("tiff", b"II*\0" + bytes(100)), ("svg", b"<svg/>"),
                ("heic", b"\0\0\0\x18ftypheic" + bytes(100)), ("png-with-line-feeds", plain.replace(b"\r\n", b"\n")),
                ("half-signature", SIGNATURE[:7]), ("soi", SOI), ("zeros", bytes(1000))):
            write(f"unknown-format--{name}", data)
        for number, cut in enumerate((8, 9, 19, 20, 32, 33, 40, 41, len(plain) // 2, len(plain) - 12, len(plain) - 1)):
            write(f"truncated--{number}.png", plain[:cut])
        for number, cut in enumerate((3, 4, 5, 20, 88, 100, 130, len(photo) // 2, len(photo) - 2, len(photo) - 1)):
            write(f"truncated--{number}.jpg", photo[:cut])
        write("truncated--chunk-longer-than-file.png", SIGNATURE + struct.pack(">I", 0x7fffffff) + b"IHDR" + bytes(100))

        def edited(data, place, value):
            return data[:place] + bytes([value]) + data[place + 1:]

        good = [[(v,) for v in row] for row in one]
        data = image_data(good, 8, 0)
        short = zlib.compress(zlib.decompress(data)[:-size], 1)
        write("damaged--chunk-length-negative.png", SIGNATURE + struct.pack(">I", 0xffffffff) + b"IHDR" + bytes(100))
        write("damaged--header-checksum.png", edited(plain, 29, plain[29] ^ 1))
        write("damaged--data-checksum.png", edited(plain, len(plain) - 14, plain[-14] ^ 1))
        write("damaged--data-bit.png", edited(plain, 60, plain[60] ^ 1))
        write("damaged--missing-rows.png", SIGNATURE + header(size, size, 8, 0) + chunk(b"IDAT", short) + END)
        write("damaged--no-header.png", SIGNATURE + chunk(b"IDAT", data) + END)
        write("damaged--two-headers.png", SIGNATURE + header(size, size, 8, 0) * 2 + chunk(b"IDAT", data) + END)
        write("damaged--second-header-larger.png", SIGNATURE + header(1, 1, 8, 0) + header(60000, 60000, 8, 0) + END)
        write("damaged--no-data.png", SIGNATURE + header(size, size, 8, 0) + END)
        write("damaged--data-is-no-zlib.png", SIGNATURE + header(size, size, 8, 0) + chunk(b"IDAT", b"\0" * 99) + END)
        write("damaged--width-0.png", SIGNATURE + header(0, size, 8, 0) + chunk(b"IDAT", data) + END)
        write("damaged--height-0.png", SIGNATURE + header(size, 0, 8, 0) + chunk(b"IDAT", data) + END)
        write("damaged--no-palette.png", png(good, 8, 3))
        write("damaged--depth-3.png", SIGNATURE + header(size, size, 3, 0) + chunk(b"IDAT", data) + END)
        write("damaged--colour-type-5.png", SIGNATURE + header(size, size, 8, 5) + chunk(b"IDAT", data) + END)
        write("damaged--depth-1-rgb.png", SIGNATURE + header(size, size, 1, 2) + chunk(b"IDAT", data) + END)
        write("damaged--header-of-12-bytes.png", SIGNATURE + chunk(b"IHDR", bytes(12)) + chunk(b"IDAT", data) + END)
        write("damaged--interlace-7.png", SIGNATURE + header(size, size, 8, 0, 7) + chunk(b"IDAT", data) + END)
        write("animated--.png", grey_png(one, before=chunk(b"acTL", struct.pack(">II", 2, 0))))
        write("animated--late.png", grey_png(one, after=chunk(b"acTL", struct.pack(">II", 2, 0))))
        for width, height in ((65535, 65535), (0x7fffffff, 1), (0xffffffff, 0xffffffff), (32768, 1), (1, 32768), (8192, 8193)):
            write(f"too-large--{width}-{height}.png", SIGNATURE + header(width, height, 1, 0) + chunk(b"IDAT", data) + END)

        rest = HUFFMAN + scan_header([0]) + bytes(50)
        begin = SOI + QUANTIZATION
        write("too-large--65500.jpg", begin + frame(65500, 65500, 1) + rest + EOI)
        write("too-large--progressive.jpg", begin + frame(30000, 30000, 3, 0xC2) + rest + EOI)
        write("damaged--second-frame.jpg", begin + frame(8, 8, 1) + frame(30000, 2000, 1) + rest + EOI)
        write("damaged--frame-after-scan.jpg", begin + frame(8, 8, 1) + rest + frame(30000, 2000, 1) + EOI)
        write("damaged--scan-without-frame.jpg", begin + rest + EOI)
        write("damaged--no-scan.jpg", begin + frame(8, 8, 1) + HUFFMAN + EOI)
        # Tables that are left out are the ones of Motion JPEG.
        write("ok-0--no-tables.jpg", begin + frame(8, 8, 1) + scan_header([0]) + b"\x2b" + EOI)
        write("damaged--no-quantization.jpg", SOI + frame(8, 8, 1) + rest + EOI)
        write("damaged--garbage-between.jpg", jpeg(small, between=b"garbage"))
        write("damaged--segment-of-length-1.jpg", SOI + b"\xff\xe1\0\1" + photo[2:])
        write("damaged--frame-of-5-bytes.jpg", begin + segment(0xC0, b"\x08\0\x08\0\x08") + rest + EOI)
        write("damaged--missing-components.jpg", begin + segment(0xC0, struct.pack(">BHHB", 8, 8, 8, 3)) + rest + EOI)
        write("damaged--width-0.jpg", begin + frame(0, 8, 1) + rest + EOI)
        write("damaged--missing-blocks.jpg", begin + frame(800, 800, 1) + rest + EOI)
        write("damaged--huffman-overflow.jpg", begin + frame(8, 8, 1) + segment(0xC4, b"\0" + b"\xff" * 16 + bytes(300))
              + scan_header([0]) + bytes(50) + EOI)
        for marker in (0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF):
            write(f"unsupported--frame-{marker:02x}.jpg", begin + frame(8, 8, 1, marker) + rest + EOI)
        write("unsupported--12-bits.jpg", begin + frame(8, 8, 1, 0xC1, 12) + rest + EOI)
        write("unsupported--height-later.jpg", begin + frame(8, 0, 1) + rest + EOI)
        write("unsupported--two-components.jpg", begin + frame(8, 8, 2) + rest + EOI)
        write("unsupported--hierarchical.jpg", begin + segment(0xDE, bytes(6)) + frame(8, 8, 1) + rest + EOI)
        write("too-many-scans--.jpg", begin + frame(8000, 8000, 1, 0xC2) + HUFFMAN + (scan_header([0], 0) + b"\0") * 65 + EOI)
        """#
}
