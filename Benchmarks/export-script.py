"""Exports the plain database that `sxkey archive export --format sqlite` writes, as a user would write it.

usage: export-script.py jsonl|csv|html DATABASE OUT
"""
import csv
import html
import json
import os
import sqlite3
import sys

form, database, out = sys.argv[1:]
connection = sqlite3.connect(database)
COLUMNS = ["message_id", "direction", "sender", "time", "body", "status", "reply_to", "edited", "attachment_name"]
CONVERSATIONS = connection.execute("SELECT id, peer_id, name FROM conversation ORDER BY id").fetchall()


def messages(conversation):
    return connection.execute(
        f"SELECT {', '.join(COLUMNS)} FROM message WHERE conversation = ? ORDER BY unix_time", (conversation,))


def write_jsonl():
    with open(out, "w", encoding="utf-8") as file:
        for number, peer, _ in CONVERSATIONS:
            for row in messages(number):
                file.write(json.dumps({"conversation": peer, **dict(zip(COLUMNS, row))}, ensure_ascii=False) + "\n")


def write_csv():
    with open(out, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["conversation"] + COLUMNS)
        for number, peer, _ in CONVERSATIONS:
            for row in messages(number):
                writer.writerow([peer] + ["'" + cell if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@") else cell
                                          for cell in row])


def write_html():
    os.makedirs(out)
    head = '<!DOCTYPE html><meta charset="utf-8"><title>{}</title><h1>{}</h1>\n'
    with open(os.path.join(out, "index.html"), "w", encoding="utf-8") as index:
        index.write(head.format("Messages", "Messages"))
        for number, peer, name in CONVERSATIONS:
            title, page, rows = html.escape(name or peer), 0, messages(number)
            while some := rows.fetchmany(1000):
                page += 1
                index.write(f'<p><a href="{number}-{page}.html">{title}, page {page}</a>\n')
                with open(os.path.join(out, f"{number}-{page}.html"), "w", encoding="utf-8") as file:
                    file.write(head.format(title, title))
                    for identifier, direction, _, time, body, _, reply, _, _ in some:
                        answer = f'<a href="#{html.escape(reply)}">↳</a> ' if reply else ""
                        text = html.escape(body or "").replace("\n", "<br>")
                        file.write(f'<div class="{html.escape(direction or "")}" id="{html.escape(identifier or "")}">'
                                   f"<time>{time}</time> {answer}{text}</div>\n")


{"jsonl": write_jsonl, "csv": write_csv, "html": write_html}[form]()
