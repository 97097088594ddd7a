import { type Call, isFalse, optionOf, type Rule } from "../rule.ts";
import { executionLevel } from "./level.ts";
import { RUNNING_CONTEXTS } from "./module.ts";

const SAFE_SCHEMA = /safe|base|json|failsafe|core/i;

/** A loader or schema that makes plain data only. */
function loadsPlainData(call: Call): boolean {
  const chosen = [optionOf(call, "Loader"), optionOf(call, "schema"), ...call.written.slice(1)];
  return chosen.some((one) => {
    const name = one?.kind === "member" ? one.property : one?.kind === "name" ? one.name : "";
    return SAFE_SCHEMA.test(name);
  });
}

/** Functions that make values out of a text that others like them have written. */
const REVIVING = /deseriali|unseriali|unpickle|revive|rehydrate/i;

/** Whether running a text as code is how this code reads data back. */
export const isReviving = ({ around }: Call): boolean => REVIVING.test(around);

export const UNSAFE_DESERIALIZATION: Rule = {
  category: "unsafe-deserialization",
  title: "Outside data is turned into objects that can run code",
  harm: "The format can name functions and classes, which run while the data is read.",
  fix: "Use a format for plain data: JSON.parse, json.loads, yaml.safe_load, or a loader with a safe schema.",
  sinks: [
    {
      calls: [
        "node-serialize.unserialize",
        "serialize-to-js.deserialize",
        "funcster.deepDeserialize",
        "cryo.parse",
        "pickle.load",
        "pickle.loads",
        "pickle.Unpickler",
        "marshal.load",
        "marshal.loads",
        "shelve.open",
        "jsonpickle.decode",
        "yaml.unsafe_load",
        "yaml.full_load",
        "yaml.load_all",
        "joblib.load",
        "pandas.read_pickle",
      ],
      args: [0],
    },
    { calls: ["yaml.load", "yaml.loadAll"], args: [0], when: (call) => !loadsPlainData(call) },
    { calls: ["numpy.load"], args: [0], when: (call) => !isFalse(optionOf(call, "allow_pickle")) },
    { calls: ["torch.load"], args: [0], when: (call) => isFalse(optionOf(call, "weights_only")) },
    { methods: ["unserialize"], args: [0] },
    { calls: ["eval", "Function", ...RUNNING_CONTEXTS], when: isReviving },
  ],
  cleaners: ["JSON.stringify"],
  level: (kind) => executionLevel(kind),
};
