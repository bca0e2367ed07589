import { type Moment, story, timeline } from "./timeline.ts";

const WIDTH = 1000;
const LEFT = 60;
const RIGHT = 980;
const BACKLOG = { top: 70, bottom: 230, most: 60 };
const PODS = { top: 290, bottom: 450, most: 12 };
const COLOURS = ["#60a5fa", "#f59e0b", "#34d399"];

type Panel = typeof BACKLOG;
const x = (second: number) => round(LEFT + ((RIGHT - LEFT) * second) / story.seconds);
const y = ({ top, bottom, most }: Panel, value: number) => round(bottom - ((bottom - top) * value) / most);
const round = (value: number) => Math.round(value * 10) / 10;

/** docs/images/scaling.svg: a backlog, and the pods that the real decision makes of it. */
export function scalingPicture(): string {
  const moments = timeline();
  const parts = [
    `<rect width="${WIDTH}" height="500" fill="#ffffff"/>`,
    text(LEFT, 34, "A backlog of three organizations, and the pods that follow it", 'font-size="18" font-weight="600"'),
    unknown(),
    ...grid(BACKLOG, [0, 20, 40, 60], "chunks outstanding"),
    ...grid(PODS, [0, 4, 6, 7, 10], "pods"),
    ...[2, 1, 0].map((organization) => area(BACKLOG, moments, upTo(organization), COLOURS[organization] ?? "")),
    area(PODS, moments, ({ serving }) => serving, "#cbd5e1"),
    area(PODS, moments, ({ busy }) => busy, "#64748b"),
    line(PODS, moments, ({ desired }) => desired),
    ...legend(),
    ...notes(),
    ...clock(),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} 500" font-family="system-ui, sans-serif" font-size="13" fill="#0f172a"><title>A backlog, and the pods that follow it</title>\n${parts.join("\n")}\n</svg>\n`;
}

/** The sum of the organizations' chunks up to this one, so that they lie on each other. */
const upTo =
  (organization: number) =>
  ({ outstanding }: Moment) =>
    outstanding.slice(0, organization + 1).reduce((sum, chunks) => sum + chunks, 0);

/** A stair: each value holds until the next moment. Points where nothing changes are left out. */
function stair(panel: Panel, moments: Moment[], value: (moment: Moment) => number): string {
  let last: number | undefined;
  const steps = moments.flatMap((moment) => {
    const now = value(moment);
    if (now === last) return [];
    last = now;
    return [`H${x(moment.second)}V${y(panel, now)}`];
  });
  return `${steps.join("")}H${RIGHT}`;
}

function area(panel: Panel, moments: Moment[], value: (moment: Moment) => number, colour: string): string {
  return `<path d="M${LEFT} ${panel.bottom}${stair(panel, moments, value)}V${panel.bottom}Z" fill="${colour}"/>`;
}

function line(panel: Panel, moments: Moment[], value: (moment: Moment) => number): string {
  return `<path d="M${LEFT} ${panel.bottom}${stair(panel, moments, value)}" fill="none" stroke="#dc2626" stroke-width="2"/>`;
}

function unknown(): string {
  const { from, to } = story.unknown;
  const rect = `<rect x="${x(from)}" y="${BACKLOG.top}" width="${round(x(to) - x(from))}" height="${PODS.bottom - BACKLOG.top}" fill="#fee2e2"/>`;
  return (
    rect +
    text(x(from) + 6, BACKLOG.top + 16, "no answer from the API:", 'fill="#b91c1c"') +
    text(x(from) + 6, BACKLOG.top + 32, "the count is held", 'fill="#b91c1c"')
  );
}

function grid(panel: Panel, values: number[], title: string): string[] {
  return [
    text(LEFT, panel.top - 12, title, 'font-weight="600"'),
    ...values.map(
      (value) =>
        `<path d="M${LEFT} ${y(panel, value)}H${RIGHT}" stroke="#e2e8f0"/>${text(LEFT - 8, y(panel, value) + 4, String(value), 'text-anchor="end" fill="#475569"')}`,
    ),
  ];
}

function clock(): string[] {
  return Array.from({ length: story.seconds / 60 + 1 }, (_, minute) =>
    text(x(minute * 60), PODS.bottom + 20, `${minute}`, 'text-anchor="middle" fill="#475569"'),
  ).concat(text(RIGHT, PODS.bottom + 38, "minutes", 'text-anchor="end" fill="#475569"'));
}

function legend(): string[] {
  const names: [string, string][] = [
    ["A, 60 chunks", COLOURS[0] ?? ""],
    ["B, one chunk", COLOURS[1] ?? ""],
    ["C, 24 chunks", COLOURS[2] ?? ""],
    ["pods at work", "#64748b"],
    ["pods that serve", "#cbd5e1"],
    ["pods desired", "#dc2626"],
  ];
  return names.map(([name, colour], index) => {
    const left = 400 + (index % 3) * 200;
    const top = index < 3 ? BACKLOG.top - 22 : PODS.top - 22;
    return `<rect x="${left}" y="${top}" width="12" height="12" fill="${colour}"/>${text(left + 18, top + 11, name)}`;
  });
}

function notes(): string[] {
  const [a, b, c] = story.posts;
  const { maxReplicas, organizationSlots } = story.scaling;
  const said: [number, number, string][] = [
    [a?.second ?? 0, organizationSlots, `A: its ${organizationSlots} slots`],
    [b?.second ?? 0, organizationSlots + 1, "B: one more"],
    [c?.second ?? 0, maxReplicas, "C: maxReplicas"],
    [story.unknown.to, maxReplicas, "idle for 120 s: all go"],
  ];
  return said.map(([second, pods, words]) => text(x(second) + 6, y(PODS, pods) - 7, words, 'fill="#991b1b"'));
}

function text(left: number, top: number, words: string, attributes = ""): string {
  return `<text x="${left}" y="${top}"${attributes ? ` ${attributes}` : ""}>${words}</text>`;
}
