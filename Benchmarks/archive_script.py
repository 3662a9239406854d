#!/usr/bin/env python3
"""What somebody would write to have a store in one searchable SQLite file: usage: archive_script.py STORE DATABASE.

Run by Benchmarks/archive. No encryption of the result, no deduplication beyond the id, no source JSON of older versions.
"""
import base64
import glob
import json
import os
import sqlite3
import sys

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

store, path = sys.argv[1:3]
with open(os.path.join(store, "storage.key")) as file:
    box = AESGCM(base64.b64decode(file.read()))
database = sqlite3.connect(path)
database.executescript("""
    CREATE TABLE message (
        id INTEGER PRIMARY KEY, conversation TEXT, app_id TEXT, direction TEXT, sender TEXT, time REAL, received REAL,
        edited REAL, expires REAL, body TEXT, status TEXT, reply_to TEXT, attachment TEXT, source TEXT,
        UNIQUE (conversation, app_id));
    CREATE INDEX message_time ON message (conversation, time);
    CREATE VIRTUAL TABLE message_text USING fts5 (body, content='message', content_rowid='id');
    CREATE TABLE attachment (id TEXT PRIMARY KEY, bytes BLOB);
""")
for name in sorted(glob.glob(os.path.join(store, "sophax_messages", "*.enc"))):
    with open(name, "rb") as file:
        data = file.read()
    for message in json.loads(box.decrypt(data[:12], data[12:], None)):
        cursor = database.execute(
            "INSERT OR IGNORE INTO message (conversation, app_id, direction, sender, time, received, edited, expires, body,"
            " status, reply_to, attachment, source) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (message["peerID"], message["id"], message["direction"], message.get("senderID"), message["timestamp"],
             message.get("receivedAt"), message.get("editedAt"), message.get("expiresAt"), message["body"],
             message["status"], message.get("replyToID"), message.get("attachmentID"),
             json.dumps(message, ensure_ascii=False)))
        if cursor.rowcount:
            database.execute("INSERT INTO message_text (rowid, body) VALUES (?, ?)", (cursor.lastrowid, message["body"]))
    database.commit()
for name in glob.glob(os.path.join(store, "sophax_attachments", "*")):
    with open(name, "rb") as file:
        data = file.read()
    database.execute("INSERT INTO attachment VALUES (?, ?)", (os.path.basename(name), box.decrypt(data[:12], data[12:], None)))
database.commit()
