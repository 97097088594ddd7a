/**
 * Names that reviewers use without the code having them: what languages and platforms bring along.
 * A finding may say that `eval()` would be worse, or compare with `Promise.all()`.
 */
const NAMES = `
  abs all any append apply assert atob await bind bool btoa call catch ceil char clearInterval clearTimeout close
  concat console constructor copy count crypto decode decodeURIComponent default defer del delete dict dir double
  encode encodeURIComponent enumerate equals escape eval every exec execFile execFileSync execSync exit export fetch
  fill filter finally find findIndex float floor flat flatMap flush for forEach format fork fprintf free freeze
  from fromEntries function get getattr gets getElementById getenv globalThis goto hasOwnProperty hash hashCode if
  import includes indexOf init input int isArray isinstance isNaN isFinite iter join json keys lambda len length list
  load loads localeCompare localStorage log lower malloc map match max memcpy memset min new next now object ok
  open panic parse parseFloat parseInt pop popen postMessage print printf println property prototype push
  querySelector querySelectorAll queueMicrotask raise random range read readFile readFileSync readline recv reduce
  reject release render repeat replace replaceAll repr require resolve reverse round run sanitize scanf select send
  set setAttribute setattr setInterval setImmediate setState setTimeout shift slice sleep some sort splice split
  sprintf sprintf_s sqrt start startsWith endsWith stop str strcat strcmp strcpy strlcpy strncpy snprintf structuredClone
  substr substring sum super switch system test then throw timingSafeEqual toFixed toISOString toLowerCase toString
  toUpperCase trim trimEnd trimStart try tuple type typeof unescape unlink unlock lock unwrap expect unshift update
  upper use useCallback useEffect useMemo useRef useState valueOf values var void wait while with write writeFile
  writeFileSync yield zip
  innerHTML outerHTML textContent innerText dangerouslySetInnerHTML addEventListener removeEventListener
  sessionStorage dataset className onClick onError onLoad onChange onSubmit readOnly strictNullChecks noImplicitAny
  camelCase snake_case kebab_case node_modules package_json x86_64 utf_8 utf8mb4 site_packages __proto__ __init__
  __main__ __name__ __dirname __filename __file__ iPhone iOS macOS jQuery eBay npmrc gRPC eslint localhost
  yaml_load safe_load pickle_loads shell_exec mysql_real_escape_string html_escape htmlspecialchars
  preg_replace parameterized_query prepared_statement race_condition
`;

/** Things before a dot that no project defines. */
const HEADS = `
  Array ArrayBuffer Atomics BigInt Boolean Buffer Child Date Error Function Intl JSON Map Math Number Object Promise
  Proxy Reflect RegExp Set String Symbol TypedArray Uint8Array URL URLSearchParams WeakMap WeakRef WeakSet
  assert asyncio base64 bytes collections console contextlib crypto csv child_process dataclasses datetime dict dns
  document element elem event events expect fmt fs functools globalThis hashlib hmac http https io iter itertools
  java javax jest json list local log logger logging math module multiprocessing navigator net node np
  numpy obj object os pandas path pathlib pd performance pickle process promise queue random re React ReactDOM req
  request requests res response secrets select self set shutil signal socket sqlite3 std str string strings subprocess
  sync sys System tempfile test this threading time tls unittest url urllib util vi vm vitest window worker_threads
  yaml zlib Thread Runtime Class Integer Long List Objects Optional Collections Arrays Files Paths
`;

const names: ReadonlySet<string> = new Set(NAMES.trim().split(/\s+/));
const heads: ReadonlySet<string> = new Set(HEADS.trim().split(/\s+/));

export function isPlatformName(name: string): boolean {
  return names.has(name);
}

export function isPlatformHead(name: string): boolean {
  return heads.has(name);
}
