# SPDX-License-Identifier: Apache-2.0
"""An agent as programs before us speak the bridge: a thread reads stdin and gives each answer to the queue of its id; requests are printed.

What it finds out it prints as text, a line each. Ends when the person has typed `end`.
"""
import json
import queue
import sys
import threading


class Client:
    def __init__(self):
        self.next_id = 0
        self.waiting = {}
        self.typed = queue.Queue()
        self.lock = threading.Lock()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in sys.stdin:
            message = json.loads(line) if line.startswith("{") else None
            if message is None:
                self.typed.put(line.rstrip("\n"))
            elif message.get("method") == "userInput":
                self.typed.put(message["params"]["text"])
            elif "id" in message:
                with self.lock:
                    answers = self.waiting.pop(message["id"], None)
                if answers is not None:
                    answers.put(message)

    def request(self, method, params=None, timeout=10.0):
        answers = queue.Queue()
        with self.lock:
            self.next_id += 1
            number = self.next_id
            self.waiting[number] = answers
            print(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}), flush=True)
        answer = answers.get(timeout=timeout)
        return answer["error"] if "error" in answer else answer["result"]


def main():
    client = Client()
    print("python agent", flush=True)
    file = client.request("getActiveFile")["file"]
    print("file", file["language"], file["lineCount"], repr(file["content"]), flush=True)
    print("selection", json.dumps(client.request("getSelection")["selection"], sort_keys=True, ensure_ascii=False), flush=True)
    print("diff", client.request("showDiff", {"title": "T", "originalPath": file["path"], "modifiedContent": "x"})["message"], flush=True)
    change = {"path": file["path"], "oldStr": "return 0", "newStr": "return $&"}
    print("apply", client.request("applyChanges", change).get("message"), flush=True)
    print("again", client.request("applyChanges", change).get("error"), flush=True)
    print("missing", client.request("showDiff", {"title": "T"}), flush=True)
    print("unknown", client.request("fly")["code"], flush=True)
    print("added", client.request("wordCount"), flush=True)  # of another extension, where there is one
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(client.request("ping"))) for _ in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print("pings", sum(one == {"pong": True} for one in answers), flush=True)
    print("> ", end="", flush=True)
    text = client.typed.get(timeout=10)
    print()
    print("typed", repr(text), flush=True)


main()
