import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Router from "@koa/router";
import Koa from "koa";

/** A route of Koa's router that does nothing but answer a body like `/v1/me`'s: what that is compared with. */
const router = new Router();
router.get("/v1/me", (context) => {
  context.body = {
    organization: { id: "00000000-0000-4000-8000-000000000000", slug: "bench" },
    key: { id: "00000000-0000-4000-8000-000000000000", environment: "live", scopes: [] },
    default_retention: "none",
  };
});
const app = new Koa();
app.use(router.routes());

const server = createServer(app.callback());
server.listen(0, "127.0.0.1", () => {
  process.send?.({ ready: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } });
});
process.once("disconnect", () => process.exit(0));
