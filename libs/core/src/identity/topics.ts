/**
 * What defects are about, with the words that reviewers use for it. Two people who describe one defect seldom choose the same
 * words, but mostly words of the same topics. A word may speak for several.
 */
export const TOPICS: Readonly<Record<string, string>> = {
  injection:
    "inject injection concatenate concatenated concatenation interpolate interpolated interpolation glued splice pasted escape escaped escaping unescaped sanitize quote quoted quoting eval untrusted parameter parameterized placeholder prepared bind xss html innerhtml markup script sql query statement crafted arbitrary execute shell exec",
  access:
    "auth authentication authorization authorize authorise permission permissions owner owns ownership own role admin access anyone anybody everyone foreign stranger idor privilege forbidden 401 403 protect protected unprotected belongs guest login logged tenant manager caller",
  secret:
    "secret secrets password passwords credential credentials token tokens apikey key hardcoded plaintext clear repository vault environment committed readable visible leak leaks rotate",
  crypto:
    "hash hashed hashing md5 sha1 sha256 salt salted bcrypt argon2 random entropy predictable guess guessable guessed timing constant hmac signature signed encrypt encrypted tls https certificate brute forged forge",
  race: "race races racy concurrent concurrency concurrently thread threads parallel simultaneous simultaneously atomic atomically lock locks locked locking mutex synchronized synchronised goroutine goroutines interleave interleaved volatile visibility worker workers guarded unguarded overlap overlapping",
  hang: "deadlock deadlocks hang hangs hanging block blocks blocked blocking stuck forever wait waits waiting endless endlessly infinite infinitely timeout timeouts freeze freezes recursion spin stall stalls deadline",
  leak: "leak leaks leaking leaked close closed closes closing release released dispose disposed cleanup cleaned remove removed removes delete deleted evict evicted expire expired expires purge grow grows growing growth memory accumulate accumulates pile piles fill fills disk stays remain remains unbounded unsubscribe unsubscribed listener listeners interval timer handle handles descriptor descriptors connection connections finally defer ensure behind leftover",
  cost: "slow slows slower performance quadratic expensive scan scans full entire whole load loads loaded memory batch bulk trip trips linear repeatedly every row rows each n+1 thousand thousands million millions cpu large huge big query queries page paging unbounded",
  nothing:
    "null nil none undefined nullable missing absent empty blank optional dereference dereferenced npe nullpointerexception unwrap exist exists nonexistent unknown found typeerror nomethoderror attributeerror keyerror guard",
  failure:
    "error errors exception exceptions fail fails failed failing failure failures swallow swallows swallowed ignore ignored ignores ignoring catch catches caught throw throws thrown raise raises unhandled rejection silent silently unnoticed status exit result propagate propagates discard discarded discards dropped crash crashes 500 abort aborts panic panics success successful notice notices tell tells",
  bounds:
    "off-by-one boundary bounds bound inclusive exclusive included excluded last first range index less greater end edge past beyond limit limits overflow short extra counted",
  number:
    "float floats floating double decimal rounding rounded round cent cents precision bigdecimal integer division divide divided divides truncate truncated truncates binary zero nan negative infinity overflow sum total totals money amount amounts price",
  time: "timezone timezones zone zones utc local date dates datetime midnight dst day days month months year years clock timestamp timestamps hour hours week calendar",
  again:
    "twice duplicate duplicates duplicated idempotent idempotency idempotently retry retries retried retrying again repeat repeated repeats redeliver redelivered redelivery resend resent double doubled second doubly once already rerun",
  late: "await awaited promise promises async asynchronous stale outdated late later arrive arrives arriving slower earlier older newer newest latest overwrite overwrites cancel cancelled canceled unmount unmounted debounce debounced resolve resolves response responses floating detached",
  whole:
    "transaction transactional transactions atomic atomically rollback half partial partially consistent inconsistent commit commits committed between middle halfway together rolled",
  input:
    "validate validated validates validation invalid valid check checked checks unchecked negative input inputs accept accepts accepted reject rejects trust trusts trusted length size maximum minimum malformed parse parsed parses parsing garbage arbitrary client supplied bounds cap capped limit",
  shared:
    "mutable mutate mutates mutated mutation mutating shared shares default alias copy copies reference references global place side modifies modified instance singleton",
  test: "test tests tested testing untested cover covered covers coverage assert asserts assertion asserted spec regression case cases suite mock",
  docs: "document documented documents documentation docs readme comment comments describe describes described explain explains docstring changelog mention mentions mentioned says promise promises",
  requirement:
    "requirement requirements spec specification acceptance asked implement implemented unimplemented ticket criterion criteria missing lacks requested story demanded unmet",
  naming:
    "name names naming named unused dead import imports magic literal readable unclear misleading convention rename confusing typed any unreachable redundant",
  design:
    "layer layers controller service coupling coupled module modules responsibility separate repository business logic duplicated copy pasted abstraction directly",
  config:
    "default defaults config configuration environment env setting settings debug production fallback hardcoded configurable port deploy deployed deployment",
  log: "log logs logged logging logger print prints printed console personal pii gdpr privacy email addresses",
  text: "utf utf8 encoding encode encoded charset unicode ascii decode decoded bytes character characters umlaut umlauts url urlencode",
  path: "path paths traversal directory directories folder filename filenames upload uploads uploaded outside slash symlink absolute relative root",
  table:
    "migration migrate migrations column columns constraint constraints foreign backfill unique primary index indexes join inner outer left row rows table tables null rollback downtime",
  cache:
    "cache cached caches caching stale invalidate invalidated invalidation ttl expire expires expired expiry outdated hit miss fresh refresh",
  screen:
    "accessibility accessible aria keyboard label labels reader render renders rendered rerender effect effects dependency dependencies hook hooks state focus item items component list",
  shell:
    "quote quoted unquoted quotes pipefail pipe pipeline exit glob splitting word spaces space rm variable unset errexit script status",
  supply:
    "pin pinned unpinned tag tags branch action actions version versions latest workflow trigger pull fork supply image mutable digest sha",
  order:
    "order ordered ordering sort sorted sorting stable unstable random randomly sequence deterministic nondeterministic first",
  resource:
    "limit limits limited unlimited throttle throttling rate flood exhaust exhausted exhaustion denial dos brute attempts quota backoff hammer hammering",
  regex: "regex regexp pattern match matches matching backtracking anchored anchor",
  network:
    "http request requests response header headers redirect host origin cors cookie cookies ssrf url proxy ip port timeout",
};
