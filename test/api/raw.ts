import { connect, type Socket } from "node:net";

export interface RawReply {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Bytes to the API and back over a bare socket, for requests that no HTTP client would send. */
export class RawConnection {
  readonly socket: Socket;
  #received = "";

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect({ host: hostname, port: Number(port) });
    this.socket.setEncoding("latin1").on("data", (data: string) => {
      this.#received += data;
    });
    this.socket.on("error", () => undefined); // shows as an end without a reply
  }

  write(data: string | Uint8Array): void {
    this.socket.write(data);
  }

  /** No more from us; we still listen. */
  end(): void {
    this.socket.end();
  }

  /** The first whole reply. Rejects when the connection ends before. */
  reply(): Promise<RawReply> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const reply = parse(this.#received);
        if (reply) resolve(reply);
      };
      const closed = () => {
        look();
        reject(new Error(`closed after ${JSON.stringify(this.#received.slice(0, 300))}`));
      };
      if (this.socket.closed) closed();
      this.socket.on("data", look).once("close", closed);
      look();
    });
  }

  destroy(): void {
    this.socket.destroy();
  }
}

/** Sends, waits for the reply, closes. */
export async function exchange(url: string, data: string | Uint8Array, { end = false } = {}): Promise<RawReply> {
  const connection = new RawConnection(url);
  try {
    connection.write(data);
    if (end) connection.end();
    return await connection.reply();
  } finally {
    connection.destroy();
  }
}

function parse(received: string): RawReply | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [statusLine = "", ...lines] = received.slice(0, end).split("\r\n");
  const status = Number(statusLine.split(" ")[1]);
  if (status === 100) return parse(received.slice(end + 4));
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const text = received.slice(end + 4);
  if (text.length < Number(headers["content-length"] ?? 0)) return undefined;
  return { status, headers, text: Buffer.from(text, "latin1").toString("utf8") };
}
