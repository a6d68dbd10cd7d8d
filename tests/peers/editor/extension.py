# SPDX-License-Identifier: Apache-2.0
"""An editor: it starts the program, answers what it asks, each request on a thread of its own, and says more than answers.

    python3 extension.py PROGRAM

`never` is answered too late. What is no message on the program's stdout is counted.
"""
import json
import os
import subprocess
import sys
import threading
import time

ANSWERS = {
    "getActiveFile": lambda _: {"success": True, "file": {"path": "/w/ä.cpp", "content": "a\u2028b\n", "language": "cpp", "lineCount": 2}},
    "showDiff": lambda p: {"success": True, "message": f"Diff shown: {p['title']} {p['modifiedContent']}"},
    "ping": lambda _: {"pong": True},
    "never": lambda _: time.sleep(0.2) or {"success": True},
}


def main():
    program = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "VSCODE_INTEGRATION": "true"})
    lock = threading.Lock()
    unread = 0

    def say(line):
        with lock:
            try:
                program.stdin.write(line.encode() + b"\n")
                program.stdin.flush()
            except BrokenPipeError:
                pass  # it has ended meanwhile

    def answer(request):
        handler = ANSWERS.get(request["method"])
        body = {"result": handler(request["params"])} if handler else {"error": {"code": -32601, "message": f"Method not found: {request['method']}"}}
        say("a line that the person typed")
        say(json.dumps({"jsonrpc": "2.0", "id": request["id"], **body}, ensure_ascii=False))

    threads = []
    for line in program.stdout:
        try:
            request = json.loads(line)
        except ValueError:
            unread += 1
            continue
        if "id" in request:
            threads.append(threading.Thread(target=answer, args=(request,)))
            threads[-1].start()
    for thread in threads:
        thread.join()
    print(f"unread {unread} code {program.wait()}")


main()
