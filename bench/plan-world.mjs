// A plan of any size for the measurements: the example's subtasks again and again, each on the one before.
import { readFileSync } from "node:fs";

const EXAMPLE = new URL("../examples/plan-verimap.json", import.meta.url);

/** A VeriMAP with so many subtasks that the gate has nothing to say against. */
export function largePlan(count) {
  const plan = JSON.parse(readFileSync(EXAMPLE, "utf8"));
  const models = plan.subtasks;
  const idOf = (at) => `ST-${String(at + 1).padStart(2, "0")}`;
  plan.subtasks = Array.from({ length: count }, (_, at) => {
    // No two texts alike, or whoever remembers a text would look faster than they are.
    const own = JSON.stringify(models[at % models.length]).replaceAll("limits", `limits${at}`);
    const model = JSON.parse(own);
    const upstream = at === 0 ? [] : [idOf(at - 1)];
    const keys = Object.keys(models[(at - 1 + models.length) % models.length].output_schema);
    return {
      ...model,
      id: idOf(at),
      depends_on: upstream,
      context_required: at === 0 ? {} : { [upstream[0]]: keys },
    };
  });
  plan.assembly_order = plan.subtasks.map(({ id }) => id);
  plan.staging_paths = Object.fromEntries(
    plan.assembly_order.map((id) => {
      const staging_dir = `/build/.forge-staging/limits/polecat_${id}/`;
      const output_file = `${staging_dir}output.json`;
      return [id, { staging_dir, output_file, sentinel_file: `${staging_dir}POLECAT_DONE` }];
    }),
  );
  return plan;
}
