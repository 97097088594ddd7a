import { criticalPath, type Drawn, layersOf } from "./layers.ts";

const BOX = { width: 220, height: 56, gapX: 40, gapY: 56, margin: 24 } as const;
const LABEL_CHARS_MAX = 28;
/** A curve comes three quarters of the way to where it is bent to. */
const BEND = Math.round(((BOX.width + BOX.gapX) / 2 / 3) * 4);
/** A wider layer goes on in the next row: a picture of a thousand boxes side by side shows nothing. */
const ROW_BOXES_MAX = 24;

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * A plan as a picture: a row for each layer, or several, the critical path in bold. It holds no script, no link and
 * no style from outside, and every name in it is escaped.
 */
export function drawSvg(plan: Drawn): string {
  const rows = layersOf(plan).flatMap(inRows);
  const places = placesOf(rows);
  const path = criticalPath(plan);
  const isCritical = new Set(path);
  const steps = new Map(path.slice(1).map((id, at) => [id, path[at]]));
  const widest = Math.max(1, ...rows.map((row) => row.length));
  const width = 2 * BOX.margin + widest * (BOX.width + BOX.gapX) - BOX.gapX;
  const height = 2 * BOX.margin + Math.max(1, rows.length) * (BOX.height + BOX.gapY) - BOX.gapY;
  const edges = plan.subtasks.flatMap(({ id, depends_on }) =>
    depends_on.map((wanted) =>
      drawEdge(places.get(wanted), places.get(id), steps.get(id) === wanted),
    ),
  );
  const boxes = plan.subtasks.map((subtask) =>
    drawBox(subtask, places.get(subtask.id), isCritical.has(subtask.id)),
  );
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="13" role="img" aria-label="plan">`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8Z"/></marker></defs>',
    ...edges,
    ...boxes,
    "</svg>",
  ]
    .filter((line) => line !== "")
    .join("\n")}\n`;
}

function inRows(layer: readonly string[]): (readonly string[])[] {
  const count = Math.ceil(layer.length / ROW_BOXES_MAX);
  return Array.from({ length: count }, (_, at) =>
    layer.slice(at * ROW_BOXES_MAX, (at + 1) * ROW_BOXES_MAX),
  );
}

function placesOf(rows: readonly (readonly string[])[]): Map<string, Point> {
  return new Map(
    rows.flatMap((boxes, row) =>
      boxes.map((id, column): [string, Point] => [
        id,
        {
          x: BOX.margin + column * (BOX.width + BOX.gapX),
          y: BOX.margin + row * (BOX.height + BOX.gapY),
        },
      ]),
    ),
  );
}

function drawEdge(from: Point | undefined, to: Point | undefined, isBold: boolean): string {
  if (from === undefined || to === undefined) return "";
  const [x1, y1] = [from.x + BOX.width / 2, from.y + BOX.height];
  const [x2, y2] = [to.x + BOX.width / 2, to.y];
  const middle = (y1 + y2) / 2;
  // Past the boxes of the rows between, through the gap beside them.
  const bend = y2 - y1 > BOX.gapY ? BEND : 0;
  return `<path d="M${x1} ${y1}C${x1 + bend} ${middle} ${x2 + bend} ${middle} ${x2} ${y2}" fill="none" stroke="currentColor" stroke-width="${isBold ? 3 : 1}" marker-end="url(#tip)"/>`;
}

function drawBox(
  { id, name, type }: Drawn["subtasks"][number],
  at: Point | undefined,
  isBold: boolean,
): string {
  if (at === undefined) return "";
  const { x, y } = at;
  return [
    `<g><title>${escaped(name)}</title>`,
    `<rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="4" fill="none" stroke="currentColor" stroke-width="${isBold ? 3 : 1}"/>`,
    // A picture in the picture cuts off what is too wide for it.
    `<svg x="${x + 12}" y="${y}" width="${BOX.width - 16}" height="${BOX.height}">`,
    `<text y="23" font-weight="bold" fill="currentColor">${escaped(id)} ${escaped(type)}</text>`,
    `<text y="43" fill="currentColor">${escaped(short(name))}</text></svg></g>`,
  ].join("");
}

function short(name: string): string {
  const letters = [...name.replaceAll(/\s+/gu, " ").trim()];
  return letters.length > LABEL_CHARS_MAX
    ? `${letters.slice(0, LABEL_CHARS_MAX - 1).join("")}…`
    : letters.join("");
}

/** Hidden characters go, for they could turn the reading direction; the rest cannot end its element. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\p{C}\p{DI}]/gu, "\ufffd")
    .replaceAll(/[<>&"']/g, (one) => `&#${one.codePointAt(0)};`);
}
