import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";

/** A route of Koa that does nothing but answer a small JSON object: what `/v1/me` is compared with. */
const app = new Koa();
app.use((context) => {
  context.body = { organization: { id: "0", slug: "bench" }, key: { id: "0", environment: "live", scopes: [] } };
});

const server = createServer(app.callback());
server.listen(0, "127.0.0.1", () => {
  process.send?.({ ready: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } });
});
process.once("disconnect", () => process.exit(0));
