#!/usr/bin/env python3
"""What a user would write to check a message store: `cryptography` for the tags, `json` for the messages.

usage: verify.py STORE KEYFILE
"""
import base64
import json
import os
import sys

from cryptography.hazmat.primitives.ciphers.aead import AESGCM


def main():
    store, key_file = sys.argv[1:3]
    with open(key_file) as f:
        box = AESGCM(base64.b64decode(f.read()))

    def opened(path):
        with open(path, "rb") as f:
            data = f.read()
        return box.decrypt(data[:12], data[12:], None)

    messages = body_bytes = attachments = 0
    for entry in os.scandir(f"{store}/sophax_messages"):
        for message in json.loads(opened(entry.path)):
            for name in ("id", "peerID", "direction", "status"):
                if not isinstance(message[name], str):
                    raise ValueError(f"{name} is not a string")
            float(message["timestamp"]), bool(message["isEdited"])
            messages += 1
            body_bytes += len(message["body"].encode())
    for entry in os.scandir(f"{store}/sophax_attachments"):
        opened(entry.path)
        attachments += 1
    print(messages, attachments, body_bytes)


main()
