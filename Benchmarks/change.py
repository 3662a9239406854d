#!/usr/bin/env python3
"""What a user would write to unite two stores, or to add what newer apps require: `cryptography` and `json`.

usage: change.py merge STORE OLDER KEYFILE OUT
       change.py migrate STORE KEYFILE OUT

Nothing is read back or synced, damage stops it, and of a message that is in both stores the first store's is taken whole.
Prints how many messages were written.
"""
import base64
import json
import os
import sys

from cryptography.hazmat.primitives.ciphers.aead import AESGCM


def read(box, path):
    with open(path, "rb") as file:
        data = file.read()
    return json.loads(box.decrypt(data[:12], data[12:], None))


def write(box, path, messages):
    nonce = os.urandom(12)
    text = json.dumps(messages, ensure_ascii=False, separators=(",", ":")).encode()
    with open(path, "wb") as file:
        file.write(nonce + box.encrypt(nonce, text, None))


def merged(first, second):
    known = {message["id"] for message in first}
    new = [message for message in second if message["id"] not in known]
    return sorted(first + new, key=lambda message: message["timestamp"]) if new else first


def main():
    verb, *stores, key, out = sys.argv[1:]
    with open(key) as file:
        box = AESGCM(base64.b64decode(file.read()))
    folders = [os.path.join(store, "sophax_messages") for store in stores]
    target = os.path.join(out, "sophax_messages")
    os.makedirs(target)
    count = 0
    for name in sorted({name for folder in folders for name in os.listdir(folder)}):
        lists = [read(box, os.path.join(folder, name)) for folder in folders if os.path.exists(os.path.join(folder, name))]
        messages = lists[0]
        for other in lists[1:]:
            messages = merged(messages, other)
        for message in messages:
            message.setdefault("isEdited", False)
        write(box, os.path.join(target, name), messages)
        count += len(messages)
    print(count)


main()
