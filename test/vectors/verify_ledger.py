#!/usr/bin/env python3
"""A second verifier of sworn bundles, written from docs/formats, with the standard library only.

python3 verify_ledger.py [--all] <bundle>... prints one JSON line a bundle: its status and first
failure; with --all, also every failure as [code, seq]. Exit code 0 if all pass, with or without
warnings, and 4 otherwise. The profile is "default".
"""
import base64, calendar, hashlib, json, math, re, sys
from decimal import Decimal

# Ed25519 (RFC 8032): points in extended coordinates, verification without cofactor.
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SMALL_ORDER = {0, 1, P - 1} | {int.from_bytes(bytes.fromhex(y), "little") for y in (
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")}

def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P

def decode_point(raw):
    y, sign = int.from_bytes(raw, "little") & (2**255 - 1), raw[31] >> 7
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square:
        return None
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P

BASE = decode_point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))

def is_signed(key, message, signature):
    point, s = decode_point(key), int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or point is None or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    minus = (P - point[0], point[1], 1, P - point[3])
    table, result = {1: BASE, 2: minus, 3: add(BASE, minus)}, (0, 1, 1, 0)
    for bit in range(252, -1, -1):  # [s]B - [k]A, both scalars at once
        result, which = add(result, result), (s >> bit & 1) + 2 * (k >> bit & 1)
        result = add(result, table[which]) if which else result
    z = pow(result[2], -1, P)
    x, y = result[0] * z % P, result[1] * z % P
    return (y | (x & 1) << 255).to_bytes(32, "little") == signature[:32]

def sha(data):
    return hashlib.sha256(data).digest()

def unbase64(text):
    """The bytes, or None unless this is their one spelling."""
    try:
        raw = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return raw if base64.b64encode(raw).decode() == text else None

def usable_key(public):
    raw = unbase64(public) or b""
    y = int.from_bytes(raw, "little") & (2**255 - 1)
    return raw if len(raw) == 32 and y < P and y not in SMALL_ORDER else None

def key_id(public):
    return sha(base64.b64decode(public)).hex()[:32]

# JSON: strict parsing, and the canonical form of RFC 8785.
SAFE = 2**53 - 1

def parse(text, unique=False):
    def pairs(found):
        if unique and len(dict(found)) < len(found):
            raise ValueError("a name is given twice")
        return dict(found)
    def refuse(word):
        raise ValueError(word)
    def whole(digits):
        return int(digits) if len(digits) < 18 and abs(int(digits)) <= SAFE else float(digits)
    return json.loads(text, object_pairs_hook=pairs, parse_constant=refuse, parse_int=whole)

def canonical(value, depth=0):
    """Raises ValueError for what has no canonical form, lone surrogates among it."""
    if isinstance(value, str):
        value.encode()
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, float):  # version 1 has none, but the spelling is judged first
        if not math.isfinite(value):
            raise ValueError("not a number of JSON")
        if value == 0 or 1e-6 <= abs(value) < 1e21:
            return format(Decimal(repr(value)).normalize() + 0, "f")
        return re.sub("e([+-])0*", r"e\1", repr(value))
    if not isinstance(value, (dict, list)):
        return json.dumps(value)
    if depth >= 64:
        raise ValueError("nested too deep")
    if isinstance(value, list):
        return "[" + ",".join(canonical(item, depth + 1) for item in value) + "]"
    names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(f"{canonical(n)}:{canonical(value[n], depth + 1)}" for n in names) + "}"

# Kinds of values: functions that say whether a value is of that kind.
def like(pattern, most=SAFE):
    return lambda v: isinstance(v, str) and len(v) <= most and bool(re.fullmatch(pattern, v))

def text(most=65536):
    return lambda v: isinstance(v, str) and 1 <= len(v) <= most

def whole(low, high=SAFE):
    return lambda v: type(v) is int and low <= v <= high

def one(options):
    return lambda v: isinstance(v, str) and v in options.split()

def many(kind, low=0, high=1000):
    return lambda v: isinstance(v, list) and low <= len(v) <= high and all(map(kind, v))

def null_or(kind):
    return lambda v: v is None or kind(v)

def closed(**fields):
    """An object with these members; a name that ends in _ is optional."""
    kinds = {name.rstrip("_"): kind for name, kind in fields.items()}
    needed = {name for name in fields if not name.endswith("_")}
    return lambda v: (isinstance(v, dict) and needed <= v.keys() <= kinds.keys()
                      and all(kinds[name](item) for name, item in v.items()))

def is_time(v):
    day = isinstance(v, str) and re.fullmatch(r"([0-9]{4})-(0[1-9]|1[0-2])-([0-3][0-9])"
                                              r"T([01][0-9]|2[0-3])(:[0-5][0-9]){2}\.[0-9]{3}Z", v)
    leap = day and day[2] == "02" and calendar.isleap(int(day[1]))
    return bool(day) and 1 <= int(day[3]) <= calendar.mdays[int(day[2])] + leap

ROLES = "planner executor critic auditor operator runtime"
RISKS = "low medium high critical"
STATUSES = "fail pass-with-warnings pass"
KINDS = ("revises falls-back reviews implements retries executes finishes supports rests-on "
         "challenges resolves consolidates verifies reopens answers")
N, T, H, K = like("[a-z0-9][a-z0-9._-]*", 64), text(), like("[0-9a-f]{64}"), like("[0-9a-f]{32}")
ROLE, RISK, PUBLIC, ANY = one(ROLES), one(RISKS), like("[A-Za-z0-9+/]{43}="), like("(?s:.*)")
TRACE, HALF = like("trace_[0-7][0-9A-HJKMNP-TV-Z]{25}"), "[a-z0-9][a-z0-9!#$&^_.+-]*"
ONE, EXIT, TOOL = whole(1, 1), whole(-255, 255), like("[ -~]{1,256}")
POLICY = closed(
    approval_from=RISK, evidence_min=whole(1, 10), attempts_max=whole(1, 20),
    rework_max=whole(0, 10), fallback=lambda v: isinstance(v, bool), tool_risk_=lambda v:
    isinstance(v, dict) and all(map(TOOL, v)) and all(map(RISK, v.values())))
UNIT = closed(objective=T, assumptions=many(T), required_tools=many(TOOL, 1, 100),
              expected_evidence=many(T, 1, 100))
AGENT = closed(agent=N, roles=many(ROLE, 1, 6), key=K, public=PUBLIC)
BODIES = dict(
    session_initialized=closed(
        task=N, objective=T, profile=one("solo team strict"), policy=POLICY,
        agents=many(AGENT, 1, 100), policy_digest_=H, config_digest_=H),
    proposal_created=closed(proposal_id=N, units=many(UNIT, 1, 100), revises_=N, fallback_for_=N),
    proposal_reviewed=closed(
        proposal_id=N, proposal_status=one("approved conditional rejected"), risk_assessment=T,
        rationale=T, conditions_=many(T)),
    tool_intent_signed=closed(
        intent_id=N, proposal_id=N, tool_name=TOOL, normalized_input_hash=H, risk_class=RISK,
        justification=T, retry_of_=N),
    intent_reviewed=closed(intent_id=N, intent_status=one("approved blocked"), rationale=T),
    tool_execution_started=closed(execution_id=N, intent_id=N),
    tool_execution_completed=closed(execution_id=N, exit_status=EXIT, summary_=T),
    tool_execution_failed=closed(
        execution_id=N, failure=T, handling=one("retry fallback accept"), exit_status_=EXIT),
    artifact_recorded=closed(description=T, execution_id_=N),
    claim_issued=closed(
        claim_id=N, claim_text=T, confidence=whole(0, 100), evidence=many(H, 1), revises_=N,
        execution_ids=many(N, 1, 100), meets_=many(closed(proposal_id=N, condition=whole(0, 999)))),
    claim_challenged=closed(challenge_id=N, claim_id=N, reason=T, evidence_=many(H)),
    challenge_resolved=closed(
        challenge_id=N, resolution=one("upheld withdrawn revised"), rationale=T),
    finding_checked=closed(
        claim_id=N, finding_id=text(64), identity=H, place=T, found_=T, reason=T,
        verdict=one("CONFIRMED INACCURATE HALLUCINATED UNVERIFIED")),
    final_statement_signed=closed(consolidated_claim_ids=many(N, 1), final_verdict_text=T),
    verification_run_started=closed(verification_id=N),
    verification_run_completed=closed(
        verification_id=N, status=one(STATUSES), report=H, size=whole(1), head=H),
    rework_opened=closed(round=whole(1, 10), reasons=many(T, 1, 100)),
    session_failed=closed(reason=T), session_aborted=closed(reason=T),
    message_posted=closed(text=T),
    question_asked=closed(question_id=N, text=T, default=T, blocks_=N),
    question_answered=closed(question_id=N, answer=T),
    decision_recorded=closed(
        decision_id=N, context=T, options=many(T, 1, 100), choice=T, evidence_=many(H)),
    exception_recorded=closed(
        exception_id=N, rule=T, reason=T, requester=N, owner=N, expires_at=is_time, rollback=T),
    key_rotated=closed(agent=N, old_key=K, new_key=K, public=PUBLIC),
    key_revoked=closed(agent=N, key=K, reason=T, compromised_from_=whole(0)),
    gap_recorded=closed(reason=T, lost_size_=whole(1), lost_checkpoint_=T))
ENTRY = closed(
    v=ONE, trace=TRACE, seq=whole(0), at=is_time, hlc=like("[0-9a-f]{16}"), beat_=whole(0),
    actor=closed(agent=N, role=ROLE, key=K, run_=N), type=one(" ".join(BODIES)), idem_=text(256),
    parents=many(closed(seq=whole(0), kind=one(KINDS))), body=lambda v: isinstance(v, dict),
    artifacts=many(closed(
        hash=H, bytes=whole(0, 2**30), media_type=like(f"{HALF}/{HALF}", 128), name_=N)),
    prev=H, sig=like("[A-Za-z0-9+/]{86}=="))

# Codes by their checks, in the order of the checks.
CHECKS = dict(
    CHK_SCHEMA_CONFORMANCE="SCHEMA_INVALID", CHK_EVENT_HASH_INTEGRITY="HASH_MISMATCH",
    CHK_CHAIN_CONTINUITY="CHAIN_BREAK", CHK_SIGNATURE_VALIDITY="SIG_INVALID SIG_MISSING",
    CHK_KEY_STATUS="KEY_UNKNOWN KEY_NOT_ACTIVE KEY_COMPROMISED KEY_NOT_TRUSTED",
    CHK_ARTIFACT_EXISTENCE="ARTIFACT_MISSING", CHK_ARTIFACT_HASH_MATCH="ARTIFACT_HASH_MISMATCH",
    CHK_CLAIM_EVIDENCE_SUFFICIENCY="CLAIM_UNPROVEN DISPUTE_OPEN",
    CHK_ROLE_POLICY_CONFORMANCE="ROLE_POLICY_VIOLATION",
    CHK_FINALIZATION_INTEGRITY="FINALIZATION_VIOLATION SESSION_NOT_COMPLETED",
    CHK_EVENT_ORDERING="ORDER_VIOLATION CLOCK_WENT_BACK", CHK_STATE_TRANSITIONS="STATE_VIOLATION",
    CHK_CHECKPOINT="CHECKPOINT_INVALID TAIL_MISSING TAIL_UNSIGNED GAP_RECORDED HEAD_MISSING",
    CHK_EVIDENCE_FIRST="EVIDENCE_LATE",
    CHK_PACKAGING="BUNDLE_MALFORMED ARTIFACT_UNCITED CHECKS_SKIPPED")
ORDER = {code: place for place, codes in enumerate(CHECKS.values()) for code in codes.split()}
WARNINGS = (
    "DISPUTE_OPEN SESSION_NOT_COMPLETED CLOCK_WENT_BACK GAP_RECORDED HEAD_MISSING "
    "CHECKS_SKIPPED").split()
GUARDS = dict(
    ROLE="ROLE_POLICY_VIOLATION", INDEPENDENCE="ROLE_POLICY_VIOLATION", KEY="KEY_NOT_ACTIVE",
    ACTION="ROLE_POLICY_VIOLATION", STATE="STATE_VIOLATION", ORDER="ORDER_VIOLATION",
    IDENTITY="ORDER_VIOLATION", LIMIT="ORDER_VIOLATION", EVIDENCE="CLAIM_UNPROVEN",
    FINALIZATION="FINALIZATION_VIOLATION")
FINDING = many(closed(code=one(" ".join(ORDER)), severity=one("critical high medium warning"),
                      seq=null_or(whole(0)), message=ANY), 0, SAFE)
REPORT = closed(
    v=ONE, status=one(STATUSES), trace=null_or(TRACE), entries=whole(0), head=null_or(H), state=ANY,
    profile=one("strict default lenient"), mode=one("full fast"), signer=null_or(ANY),
    checks=many(closed(id=one(" ".join(CHECKS)), status=one("pass warn fail skipped")), 0, SAFE),
    failures=FINDING, warnings=FINDING, omitted=whole(0), lastTrustedSeq=whole(-1))

# The rules. Each yields its guards in order, with whether they refuse; behind them come the effect
# and the links. A rule that was refused is not run further, so it has no effect.
class Thing(dict):
    """Members as attributes, or None. What does not exist is an empty Thing."""
    __getattr__, __setattr__ = dict.get, dict.__setitem__
    def now(self, **members):
        self.update(members if self else {})

class Table(dict):
    def __missing__(self, name):
        return Thing()

TALK, WORK = "planning reviewing executing claiming", "executing claiming"
OPEN = TALK + " auditing"
PROTOCOL = {}

def event(by, states, *names):
    def keep(rule):
        for name in names or (rule.__name__,):
            PROTOCOL[name] = by.split(), states.split(), rule
        return rule
    return keep

def links(kind, *targets):
    return [(kind, target.seq) for target in targets if target]

@event("planner", "initialized")
def session_initialized(s, e, b, who):
    agents = [Thing(agent) for agent in b.agents]
    own = next((agent for agent in agents if agent.agent == who), Thing(roles=[]))
    runtimes = [agent.roles for agent in agents if "runtime" in agent.roles]
    yield "ROLE", {role for agent in agents for role in agent.roles} != set(ROLES.split())
    yield "IDENTITY", len({agent.agent for agent in agents}) < len(agents)
    yield "INDEPENDENCE", len({agent.key for agent in agents}) < len(agents)
    yield "IDENTITY", len(runtimes) > 1
    yield "INDEPENDENCE", len(runtimes[0]) > 1
    yield "ROLE", e.actor["role"] not in own.roles
    yield "KEY", own.key != e.actor["key"]
    s.policy, s.profile, s.state = Thing(b.policy), b.profile, "planning"
    for agent in agents:
        s.agents[agent.agent] = Thing(roles=agent.roles, key=agent.key)
        s.ring[agent.key] = Thing(agent=agent.agent, public=agent.public, status="active")
        if "runtime" in agent.roles:
            s.runtime, s.runtime_public = agent.agent, agent.public

@event("planner", "planning reviewing executing claiming")
def proposal_created(s, e, b, who):
    old, failed = s.proposals[b.revises], s.executions[b.fallback_for]
    yield "IDENTITY", b.proposal_id in s.proposals
    yield "ORDER", b.revises and old.status not in ("proposed", "rejected", "conditional")
    yield "ORDER", b.fallback_for and failed.status != "failed"
    yield "ACTION", b.fallback_for and not s.policy.fallback
    yield "STATE", s.state in WORK.split() and not (old or failed or s.rounds)
    old.now(status="revised")
    failed.now(owes=False)
    tools = {tool for unit in b.units for tool in unit["required_tools"]}
    behind = s.proposals[s.intents[failed.intent].proposal]
    s.proposals[b.proposal_id] = Thing(
        seq=e.seq, by={who} | (old.by or set()) | (behind.by or set()), tools=tools,
        status="proposed", terms=[])
    s.authors.add(who)
    s.state = "reviewing" if s.state == "planning" else s.state
    return links("revises", old) + links("falls-back", failed)

@event("critic", "reviewing executing claiming")
def proposal_reviewed(s, e, b, who):
    proposal = s.proposals[b.proposal_id]
    yield "ORDER", proposal.status != "proposed"
    yield "INDEPENDENCE", who in proposal.by
    yield "EVIDENCE", (b.proposal_status == "conditional") != bool(b.conditions)
    proposal.status, proposal.terms = b.proposal_status, b.conditions or []
    s.critics.add(who)
    s.state = "executing" if s.state == "reviewing" and may_work(proposal) else s.state
    return links("reviews", proposal)

@event("executor", WORK)
def tool_intent_signed(s, e, b, who):
    proposal, old = s.proposals[b.proposal_id], s.intents[b.retry_of]
    run = s.executions[old.execution]
    yield "IDENTITY", b.intent_id in s.intents
    yield "ACTION", not may_work(proposal)
    yield "ACTION", b.tool_name not in proposal.tools
    yield "ORDER", b.retry_of and (old.retried or not (
        run.status == "failed" if run else old.review == "blocked"))
    yield "LIMIT", b.retry_of and old.attempt >= s.policy.attempts_max
    tool = b.tool_name.strip().lower()
    work = s.works.get((tool, b.normalized_input_hash), Thing(failures=0, running=0))
    yield "LIMIT", work.failures >= s.policy.attempts_max
    s.works[tool, b.normalized_input_hash] = work
    old.now(retried=True)
    run.now(owes=False)
    risks = [b.risk_class, *(risk for name, risk in (s.policy.tool_risk or {}).items()
                             if name.strip().lower() == tool)]
    s.intents[b.intent_id] = Thing(
        seq=e.seq, by=who, authors={who} | (old.authors or set()), proposal=b.proposal_id,
        attempt=(old.attempt or 0) + 1, risk=max(map(RISKS.split().index, risks)),
        input=b.normalized_input_hash, work=work)
    s.authors.add(who)
    s.state = "executing"
    return links("implements", proposal) + links("retries", old)

@event("critic", "executing")
def intent_reviewed(s, e, b, who):
    intent = s.intents[b.intent_id]
    yield "ORDER", not intent or intent.execution
    yield "ORDER", intent.review in ("blocked", b.intent_status)
    yield "INDEPENDENCE", who in intent.authors
    intent.review = b.intent_status
    intent.work.blocked = b.intent_status == "blocked"
    s.critics.add(who)
    settle(s)
    return links("reviews", intent)

@event("executor", "executing")
def tool_execution_started(s, e, b, who):
    intent = s.intents[b.intent_id]
    yield "ORDER", not intent
    yield "IDENTITY", b.execution_id in s.executions
    yield "ROLE", intent.by != who
    yield "ORDER", intent.execution
    yield "ACTION", intent.review == "blocked" or not may_work(s.proposals[intent.proposal])
    work = intent.work
    needs = work.blocked or intent.risk >= RISKS.split().index(s.policy.approval_from)
    yield "ACTION", needs and intent.review != "approved"
    yield "LIMIT", work.failures + work.running >= s.policy.attempts_max
    yield "EVIDENCE", intent.input not in [*s.artifacts, *(ref["hash"] for ref in e.artifacts)]
    intent.execution = b.execution_id
    work.running += 1
    s.executions[b.execution_id] = Thing(
        seq=e.seq, by=who, status="running", attempt=intent.attempt, intent=b.intent_id, work=work)
    return links("executes", intent)

@event("executor", "executing", "tool_execution_completed", "tool_execution_failed")
def tool_execution_ended(s, e, b, who):
    run = s.executions[b.execution_id]
    yield "ORDER", run.status != "running"
    yield "ROLE", run.by != who
    yield "EVIDENCE", not b.handling and not e.artifacts
    tries = b.handling and max(run.attempt, run.work.failures + 1)
    yield "LIMIT", b.handling == "retry" and tries >= s.policy.attempts_max
    yield "ACTION", b.handling == "fallback" and not s.policy.fallback
    run.status = "failed" if b.handling else "completed"
    run.owes = b.handling in ("retry", "fallback")
    run.outputs = {ref["hash"] for ref in e.artifacts}
    run.work.running -= 1
    run.work.failures = run.work.failures + 1 if b.handling else 0
    s.finished += 1
    settle(s)
    return links("finishes", run)

@event("executor", WORK)
def artifact_recorded(s, e, b, who):
    yield "EVIDENCE", not e.artifacts
    yield "ORDER", b.execution_id and b.execution_id not in s.executions
    s.authors.add(who)
    return links("supports", s.executions[b.execution_id])

@event("executor", "claiming")
def claim_issued(s, e, b, who):
    old, runs = s.claims[b.revises], [s.executions[name] for name in b.execution_ids]
    yield "IDENTITY", b.claim_id in s.claims
    yield "ORDER", any(run.status in (None, "running") for run in runs)
    yield "ORDER", b.revises and old.status != "standing"
    yield "ROLE", b.revises and old.by != who
    yield "EVIDENCE", len(set(b.evidence)) < s.policy.evidence_min
    yield "EVIDENCE", any(set(b.evidence) <= evidence for evidence in s.struck)
    met = {(each["proposal_id"], each["condition"]) for each in b.meets or []}
    claim = Thing(seq=e.seq, by=who, evidence=b.evidence, meets=met, status="standing",
                  runs=list({id(run): run for run in runs}.values()))
    old.now(status="revised", newer=claim)
    s.claims[b.claim_id] = claim
    s.authors.add(who)
    return links("rests-on", *runs) + links("revises", old)

@event("critic", "claiming")
def claim_challenged(s, e, b, who):
    claim = s.claims[b.claim_id]
    yield "IDENTITY", b.challenge_id in s.challenges
    yield "ORDER", claim.status != "standing"
    yield "INDEPENDENCE", claim.by == who
    s.challenges[b.challenge_id] = Thing(seq=e.seq, by=who, claim=claim, open=True)
    s.critics.add(who)
    return links("challenges", claim)

@event("critic", "claiming")
def challenge_resolved(s, e, b, who):
    challenge = s.challenges[b.challenge_id]
    claim = challenge.claim
    yield "ORDER", not challenge.open
    yield "INDEPENDENCE", claim.by == who
    yield "ROLE", b.resolution == "withdrawn" and challenge.by != who
    yield "ORDER", b.resolution == "revised" and claim.status != "revised"
    challenge.open = False
    s.critics.add(who)
    while claim and b.resolution == "upheld":
        s.struck.append(set(claim.evidence))
        claim.status = "revised" if claim.newer else "struck"
        claim = claim.newer
    return links("resolves", challenge)

@event("critic", "claiming")
def finding_checked(s, e, b, who):
    claim = s.claims[b.claim_id]
    yield "ORDER", claim.status != "standing"
    yield "INDEPENDENCE", claim.by == who
    claim.made_up = claim.made_up or b.verdict == "HALLUCINATED"
    s.critics.add(who)
    return links("reviews", claim)

@event("executor planner", "claiming")
def final_statement_signed(s, e, b, who):
    stand = {name: claim for name, claim in s.claims.items() if claim.status == "standing"}
    met = {each for claim in stand.values() for each in claim.meets}
    used = {intent.proposal for intent in s.intents.values() if intent.execution}
    terms = {(name, place) for name in used for place, _ in enumerate(s.proposals[name].terms)}
    yield "FINALIZATION", set(b.consolidated_claim_ids) != set(stand)
    yield "FINALIZATION", any(challenge.open for challenge in s.challenges.values())
    yield "FINALIZATION", terms - met
    yield "FINALIZATION", any(claim.made_up for claim in stand.values())
    yield "FINALIZATION", not all(suffices(s, claim) for claim in stand.values())
    s.authors.add(who)
    s.final, s.state = True, "auditing"
    return links("consolidates", *(stand[name] for name in b.consolidated_claim_ids))

@event("auditor", "claiming auditing")
def verification_run_started(s, e, b, who):
    yield "ORDER", not s.claims or s.audit or s.failed_audit
    yield "INDEPENDENCE", who in s.authors or s.profile != "solo" and who in s.critics
    s.audit, s.state = Thing(seq=e.seq, name=b.verification_id, by=who), "auditing"

@event("auditor", "auditing")
def verification_run_completed(s, e, b, who):
    audit = s.audit or Thing()
    yield "ORDER", audit.name != b.verification_id
    yield "ROLE", audit.by != who
    yield "EVIDENCE", b.report not in [ref["hash"] for ref in e.artifacts]
    yield "FINALIZATION", b.size != e.seq or b.status != "fail" and not s.final
    s.audit, s.failed_audit = None, Thing(seq=e.seq) if b.status == "fail" else None
    again = "auditing" if s.rounds < s.policy.rework_max else "failed"
    s.state = again if b.status == "fail" else "completed"
    return links("verifies", audit)

@event("auditor operator", "auditing")
def rework_opened(s, e, b, who):
    failed = s.failed_audit
    yield "ORDER", not failed or b.round != s.rounds + 1
    s.rounds, s.failed_audit, s.final, s.finished, s.state = b.round, None, False, 0, "executing"
    return links("reopens", failed)

@event(ROLES, TALK)
def question_asked(s, e, b, who):
    yield "IDENTITY", b.question_id in s.questions
    s.questions[b.question_id] = Thing(seq=e.seq, open=True)

@event("planner operator", TALK)
def question_answered(s, e, b, who):
    question = s.questions[b.question_id]
    yield "ORDER", not question.open
    question.open = False
    return links("answers", question)

@event(ROLES, TALK, "decision_recorded")
@event("operator", OPEN, "exception_recorded")
def note_kept(s, e, b, who):
    yield "IDENTITY", (b.decision_id or b.exception_id) in s.notes
    yield "INDEPENDENCE", b.requester == who
    yield "ORDER", b.requester and b.requester not in s.agents
    s.notes.add(b.decision_id or b.exception_id)

@event(ROLES, OPEN)
def key_rotated(s, e, b, who):
    agent, old = s.agents[b.agent], s.ring[b.old_key]
    yield "ROLE", b.agent != who and e.actor["role"] not in ("operator", "runtime")
    yield "ORDER", not agent
    yield "KEY", old.agent != b.agent or agent.key not in (None, b.old_key)
    yield "KEY", b.new_key in s.ring or key_id(b.public) != b.new_key or not usable_key(b.public)
    agent.key, old.status = b.new_key, "rotated" if old.status == "active" else old.status
    s.ring[b.new_key] = Thing(agent=b.agent, public=b.public, status="active")
    s.runtime_public = b.public if b.agent == s.runtime else s.runtime_public

@event(ROLES, OPEN)
def key_revoked(s, e, b, who):
    agent, key = s.agents[b.agent], s.ring[b.key]
    yield "ROLE", b.agent != who and e.actor["role"] not in ("operator", "runtime")
    yield "ROLE", b.compromised_from is not None and e.actor["role"] not in ("operator", "runtime")
    yield "KEY", key.agent != b.agent or key.status == "revoked"
    yield "KEY", b.agent == s.runtime and agent.key == b.key
    yield "ORDER", (b.compromised_from or 0) > e.seq
    key.status, key.bad_from = "revoked", b.compromised_from
    agent.key = None if agent.key == b.key else agent.key

@event("operator", OPEN, "session_aborted")
@event("auditor operator runtime", OPEN, "session_failed")
@event(ROLES, OPEN, "message_posted")
@event("operator runtime", OPEN + " completed failed aborted", "gap_recorded")
def plain(s, e, b, who):
    yield "STATE", False
    s.gaps += [e.seq] if e.type == "gap_recorded" else []
    s.state = {"session_aborted": "aborted", "session_failed": "failed"}.get(e.type, s.state)

def may_work(proposal):
    return proposal.status in ("approved", "conditional")

def settle(s):
    waits = any(not i.execution and i.review != "blocked" for i in s.intents.values())
    busy = any(run.status == "running" or run.owes for run in s.executions.values())
    s.state = "executing" if waits or busy or s.finished == 0 else "claiming"

def suffices(s, claim):
    found = [s.artifacts[hash] for hash in claim.evidence if hash in s.artifacts]
    found = [artifact for artifact in found if artifact.seq <= claim.seq]
    origins = [run for run in claim.runs if run.outputs & set(claim.evidence)]
    if s.profile == "solo":
        return bool(found)
    enough = s.profile == "team" or len(origins) >= s.policy.evidence_min
    return len(found) == len(claim.evidence) and enough

def judge(s, e):
    """The guard that refuses an entry, or its links; then it has had its effect."""
    by, states, rule = PROTOCOL[e.type]
    steps = guards(s, e, by, states, rule(s, e, Thing(e.body), e.actor["agent"]))
    try:
        while True:
            guard, refuses = next(steps)
            if refuses:
                return guard
    except StopIteration as end:
        found = end.value or []
    s.idems.add(e.idem)
    for ref in e.artifacts:
        s.artifacts.setdefault(ref["hash"], Thing(seq=e.seq))
    s.signed.append((e.actor["key"], e.seq))
    return found

def guards(s, e, by, states, rule):
    agent, key = s.agents[e.actor["agent"]], s.ring[e.actor["key"]]
    yield "IDENTITY", e.idem is not None and e.idem in s.idems
    if e.type == "session_initialized":
        keys = [(a["key"], a["public"]) for a in e.body["agents"]]
        yield "KEY", any(not usable_key(public) or key_id(public) != name for name, public in keys)
    else:
        yield "STATE", s.state == "initialized"
        yield "ROLE", e.actor["role"] not in (agent.roles or [])
        yield "KEY", not agent.key or key.agent != e.actor["agent"] or key.status != "active"
    yield "ROLE", e.actor["role"] not in by
    yield "STATE", s.state not in states
    return (yield from rule)

# The bundle, the tree and the checkpoint.
def header(name, size):
    front = name.ljust(100, b"\0") + b"0000644\0" + b"0000000\0" * 2
    front += b"%011o\0" % size + b"0" * 11 + b"\0"
    back = b"0" + bytes(100) + b"ustar\x0000" + bytes(247)
    return front + b"%06o\0 " % sum(front + b" " * 8 + back) + back

FIXED = ("checkpoint", 2**20), ("keys.json", 2**20), ("entries.jsonl", SAFE)

def unpack(data):
    """The members of a bundle by name. Raises ValueError unless it is in the one spelling."""
    found, at, last = {}, 0, ""
    while (block := data[at:at + 512]) != bytes(512):
        digits = re.fullmatch(b"[0-7]{11}", block[124:135])
        name, size = block[:100].rstrip(b"\0"), int(digits[0], 8) if digits else 0
        if header(name, size) != block:
            raise ValueError("a header")
        name, begin = name.decode(), at + 512
        at = begin + size + -size % 512
        fixed, most = FIXED[len(found)] if len(found) < 3 else (None, 2**30)
        rises = re.fullmatch("artifacts/[0-9a-f]{64}", name) and name > last
        if not (name == fixed if fixed else rises) or size > most or len(found) >= 10**6:
            raise ValueError("a member")
        if at > len(data) or any(data[begin + size:at]):
            raise ValueError("a size")
        found[name], last = data[begin:begin + size], "" if fixed else name
    if data[at:] != bytes(1024) or len(found) < 3 or not found["entries.jsonl"].endswith(b"\n"):
        raise ValueError("the end")
    return found | {name: found[name].decode() for name in ("checkpoint", "keys.json")}

def tree_root(leaves):
    if len(leaves) < 2:
        return leaves[0] if leaves else sha(b"")
    half = 1 << (len(leaves) - 1).bit_length() - 1
    return sha(b"\1" + tree_root(leaves[:half]) + tree_root(leaves[half:]))

def open_checkpoint(note, trace, public):
    """Size and root, or None unless the note is signed by this key and of this trace."""
    key, (body, blank, rest) = usable_key(public), note.rpartition("\n\n")
    if not key or not blank or not note.endswith("\n") or len(note.encode("utf-16-le")) > 2 * 65536:
        return None
    body, signed, mark = body + "\n", [], sha(b"sworn\n\1" + key)[:4]
    for line in rest[:-1].split("\n"):
        match = re.fullmatch(r"— ([^\s+]+) ([A-Za-z0-9+/]+=*)", line)
        raw = match and unbase64(match[2])
        if not raw or len(raw) < 5:
            return None
        if match[1] == "sworn" and raw[:4] == mark:
            signed.append(is_signed(key, body.encode(), raw[4:]))
    origin, size, root = (body + "\n\n").split("\n")[:3]
    good = signed and all(signed) and origin == f"sworn.trace/{trace}" and unbase64(root)
    good = good and re.fullmatch("0|[1-9][0-9]{0,15}", size)
    return (int(size), unbase64(root)) if good else None

class Verification:
    def __init__(self, bundle):
        self.bundle, self.findings = bundle, []
        self.known, self.runtime, self.listed = {}, (None, None), {}
        tables = "agents ring proposals intents executions claims challenges questions artifacts"
        self.session = Thing(
            {name: Table() for name in tables.split()}, state="initialized", finished=0, rounds=0,
            notes=set(), idems=set(), authors=set(), critics=set(), gaps=[], audits=[], signed=[],
            hlc="", works={}, struck=[])

    def find(self, code, seq=None):
        self.findings.append((code, seq))

    def run(self):
        trace, prev, leaves, is_whole = None, "0" * 64, [], True
        for seq, line in enumerate(self.bundle["entries.jsonl"][:-1].split(b"\n")):
            is_object, entry = read_loosely(line)
            self.watch(line, entry)
            problem = self.judge_line(line)
            trace = entry.trace if trace is None and isinstance(entry.trace, str) else trace
            follows = is_object and (entry.trace, entry.seq, entry.prev) == (trace, seq, prev)
            if problem:
                self.find(problem, seq)
            if is_object and not follows:
                self.find("CHAIN_BREAK", seq)
            for ref in [] if problem else entry.artifacts:
                self.listed.setdefault(ref["hash"], (ref["bytes"], entry.seq))
            is_whole = is_whole and not problem and follows
            if is_whole:
                self.judge_rules(entry)
            prev = sha(line).hex()
            leaves.append(sha(b"\0" + sha(line)))
        if is_whole:
            self.runtime = self.session.runtime, self.session.runtime_public
        self.check_checkpoint(trace, leaves)
        bad = self.check_artifacts(is_whole)
        if is_whole:
            self.check_whole(trace, bad)

    def watch(self, line, entry):
        """Takes the keys that a line enrols, before anybody has judged it."""
        enrols = re.search(rb'"type":"(session_initialized|key_rotated)","v":1}$', line)
        body = Thing(entry.body) if enrols and isinstance(entry.body, dict) else Thing(agents=[])
        alone = dict(agent=body.agent, key=body.new_key, public=body.public)
        offers = [alone] if body.agents is None else body.agents
        for offer in offers if isinstance(offers, list) else []:
            offer = Thing(offer if isinstance(offer, dict) else {})
            if not PUBLIC(offer.public) or key_id(offer.public) != offer.key:
                continue
            is_runtime = offer.agent == self.runtime[0] and self.runtime[1]
            if "runtime" in offer.roles if isinstance(offer.roles, list) else is_runtime:
                self.runtime = offer.agent, offer.public
            if usable_key(offer.public):
                self.known[offer.key] = usable_key(offer.public)

    def judge_line(self, line):
        """What is wrong with a line by itself."""
        try:
            words = line.decode()
            value = parse(words)
            if len(line) > 2**20:
                return "SCHEMA_INVALID"
        except ValueError:
            return "SCHEMA_INVALID"
        except RecursionError:
            return "HASH_MISMATCH"
        try:
            if canonical(value) != words:
                return "HASH_MISMATCH"
        except ValueError:
            return "HASH_MISMATCH"
        if not isinstance(value, dict) or "sig" not in value:
            return "SIG_MISSING"
        if not ENTRY(value) or not BODIES[value["type"]](value["body"]):
            return "SCHEMA_INVALID"
        key, sig = self.known.get(value["actor"]["key"]), unbase64(value.pop("sig"))
        if key is None:
            return "KEY_UNKNOWN"
        return None if sig and is_signed(key, canonical(value).encode(), sig) else "SIG_INVALID"

    def judge_rules(self, entry):
        found = judge(self.session, entry)
        if isinstance(found, str):
            return self.find(GUARDS[found], entry.seq)
        if found != [(parent["kind"], parent["seq"]) for parent in entry.parents]:
            self.find("ORDER_VIOLATION", entry.seq)
        if entry.hlc <= self.session.hlc:
            self.find("CLOCK_WENT_BACK", entry.seq)
        self.session.hlc = entry.hlc
        if entry.type == "verification_run_completed":
            self.session.audits.append(entry)
            if entry.body["head"] != entry.prev:
                self.find("FINALIZATION_VIOLATION", entry.seq)

    def check_checkpoint(self, trace, leaves):
        note, public = self.bundle["checkpoint"], self.runtime[1]
        opened = trace and public and open_checkpoint(note, trace, public)
        if opened and opened[0] != len(leaves):
            code = "TAIL_MISSING" if opened[0] > len(leaves) else "TAIL_UNSIGNED"
            self.find(code, min(opened[0], len(leaves)))
        elif not opened or opened[1] != tree_root(leaves):
            self.find("CHECKPOINT_INVALID")

    def check_artifacts(self, is_whole):
        bad = set()
        for name, (size, seq) in self.listed.items():
            content = self.bundle.get(f"artifacts/{name}")
            if content is None or sha(content).hex() != name or len(content) != size:
                bad.add(name)
                self.find("ARTIFACT_MISSING" if content is None else "ARTIFACT_HASH_MISMATCH", seq)
        uncited = [name for name in list(self.bundle)[3:] if name[10:] not in self.listed]
        self.findings += [("ARTIFACT_UNCITED", None) for _ in uncited if is_whole]
        return bad

    def check_whole(self, trace, bad):
        s = self.session
        keys = [dict(agent=k.agent, key=name, public=k.public, status=k.status)
                for name, k in s.ring.items()]
        if self.bundle["keys.json"] != canonical(dict(keys=keys)) + "\n":
            self.find("BUNDLE_MALFORMED")
        for name, key in s.ring.items():
            if key.bad_from is not None:
                late = [seq for signer, seq in s.signed if signer == name and seq >= key.bad_from]
                self.findings += [("KEY_COMPROMISED", seq) for seq in late[:1]]
        for claim in [claim for claim in s.claims.values() if claim.status == "standing"]:
            if any((s.artifacts[hash].seq or 0) > claim.seq for hash in claim.evidence):
                self.find("EVIDENCE_LATE", claim.seq)
            if not suffices(s, claim) or bad & set(claim.evidence):
                self.find("CLAIM_UNPROVEN", claim.seq)
        self.findings += [("DISPUTE_OPEN", each.seq) for each in s.challenges.values() if each.open]
        for entry in s.audits:
            if entry.body["report"] not in bad and not self.bears_out(trace, Thing(entry.body)):
                self.find("FINALIZATION_VIOLATION", entry.seq)
        self.findings += [("GAP_RECORDED", seq) for seq in s.gaps]
        if s.state != "completed":
            self.find("SESSION_NOT_COMPLETED")

    def bears_out(self, trace, body):
        """Whether the stored report is about this trace and says no less than the entry."""
        content = self.bundle[f"artifacts/{body.report}"]
        try:
            report = parse(content.decode("utf-8", "replace"), unique=True)
            canonical(report)
        except (ValueError, RecursionError):
            return False
        found = REPORT(report) and (report["trace"], report["entries"], report["head"])
        ranks = STATUSES.split()
        is_less = found and ranks.index(body.status) <= ranks.index(report["status"])
        return len(content) <= 2**20 and found == (trace, body.size, body.head) and is_less

    def verdict(self):
        failures = sorted((math.inf if seq is None else seq, ORDER[code], code, seq)
                          for code, seq in self.findings if code not in WARNINGS)
        status = "fail" if failures else "pass-with-warnings" if self.findings else "pass"
        return status, [list(failure[2:]) for failure in failures]

def read_loosely(line):
    """Whether a line is an object or a list after all, and its members."""
    try:
        value = parse(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        value = None
    return isinstance(value, (dict, list)), Thing(value if isinstance(value, dict) else {})

def verify(path):
    try:
        with open(path, "rb") as file:
            verification = Verification(unpack(file.read()))
    except (OSError, ValueError):
        return "fail", [["BUNDLE_MALFORMED", None]]
    verification.run()
    return verification.verdict()

def main(arguments):
    paths, statuses = [path for path in arguments if path != "--all"], []
    for path in paths:
        status, failures = verify(path)
        code, seq = failures[0] if failures else (None, None)
        more = dict(failures=failures) if "--all" in arguments else {}
        print(json.dumps(dict(file=path, status=status, code=code, seq=seq, **more)))
        statuses.append(status)
    return 4 if not paths or "fail" in statuses else 0

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
