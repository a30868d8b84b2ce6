import { asserts, type Clause } from "./clauses.ts";

/**
 * What speaks against a pass in plain text. An answer with a form signs that it has no reservation, and is looked at a second
 * time; plain text has its prose alone, so nothing of it may sound like dissent.
 */

/** The clause in which the reviewer speaks against letting the change through, or says that it could not review it. */
export function objection(clauses: readonly Clause[]): Clause | undefined {
  return clauses.find(
    (clause) =>
      (AGAINST.some((pattern) => pattern.test(clause) || pattern.test(unlabelled(clause))) &&
        !/\bno (?:reason|need|grounds)\b/.test(clause)) ||
      (UNSEEN.some((pattern) => pattern.test(clause)) &&
        !/\b(?:when|whenever|if|where|cases?|that)\b/.test(clause) &&
        !BESIDE_THE_CHANGE.test(clause)) ||
      [clause, ...clause.split(": ").slice(1)].some((part) =>
        STANDS_IN_THE_WAY.some((pattern) => asserts(part, pattern)),
      ) ||
      (asserts(clause, REPAIR_BEFORE_MERGE) && !LIGHT.test(clause)),
  );
}

function unlabelled(clause: Clause): Clause {
  return clause.replace(/^(?:recommendation|recommended action|summary|conclusion|overall|assessment|result): /, "");
}

/** The clause that asks for a repair, whatever its gravity. */
export function demand(clauses: readonly Clause[]): Clause | undefined {
  return clauses.find(
    (clause) =>
      (IMPERATIVE.test(clause) && !FIX_AS_A_NOUN.test(clause)) || DEMANDS.some((pattern) => asserts(clause, pattern)),
  );
}

/** The clause that names a defect of any gravity, or begins like an entry of a list of them. */
export function defect(clauses: readonly Clause[]): Clause | undefined {
  return clauses.find((clause) => asserts(clause, GRAVE) || asserts(clause, DEFECT) || LABEL.test(clause));
}

const NOT = "(?:not|never|cannot|\\w+n't)";
const ADVERBS =
  "(?:\\s(?:yet|currently|clearly|really|therefore|simply|still|now|at this point|in good conscience|recommend|advise|suggest|support|want|think))*";
const LETTING_THROUGH =
  "(?:merg(?:e|ed|ing)|approv(?:e|ed|ing)|ship(?:ped|ping)?|releas(?:e|ed|ing)|deploy(?:ed|ing)?|accept(?:ed|ing)?|land(?:ed|ing)?|sign(?:ing)? off|let(?:ting)? (?:this|it)|proceed(?:ing)?)\\b";
const PASSABLE =
  "(?:be (?:merged|approved|shipped|released|deployed|accepted|landed)|ready|acceptable|mergeable|approved|production[- ]ready|good enough|(?:safe|fit|suitable|okay|ok|cleared) (?:to|for)|go (?:to|into|live)|pass (?:the )?(?:review|gate))\\b";
const THE_CHANGE =
  "(?:this|it|branch|changes?|change ?set|pr|mr|pull request|merge request|story|ticket|feature|code|work|implementation|diff|commit|unit|patch)";
const LEAD_IN = "^(?:[\\w ]{1,30}:\\s*)?(?:please |so |therefore,? |and |then |we |i |you )*";

const AGAINST = [
  new RegExp(
    `${LEAD_IN}(?:do |should |must |would |could |can |may |will |am )?${NOT}${ADVERBS}(?: be| to| ready to)?\\s${LETTING_THROUGH}`,
  ),
  new RegExp(
    `\\b(?:i|we|you|one)(?: (?:do|would|should|must|can|could|may|will|am|are))?\\s${NOT}${ADVERBS}(?: be| to)?\\s${LETTING_THROUGH}`,
  ),
  new RegExp(
    `\\b${THE_CHANGE}(?:'s)?(?: (?:is|are|was|should|must|can|could|may|will|would|does|still|clearly|currently|therefore|in its current (?:form|state)))*\\s${NOT}${ADVERBS}\\s${PASSABLE}`,
  ),
  new RegExp(`${LEAD_IN}${NOT}${ADVERBS}\\s(?:ready|approved|mergeable|acceptable)\\b`),
  new RegExp(
    `^(?:so |therefore,? |and )*(?:the |this )?${THE_CHANGE} (?:must|should|has to|needs to) be (?:rejected|blocked|reverted|held back|sent back)\\b`,
  ),
  /\b(?:requirements?|criteri(?:on|a)|acceptance criteri\w+|ac[- ]?\d+)\b[^:]{0,60}?\b(?:is|are|was|were|remains?) (?:still |clearly )*(?:not (?:yet |fully |completely )?(?:implemented|met|satisfied|fulfilled|done)|unmet|unimplemented)\b/,
  /\btake (?:that|this|it|my approval) back\b|\bi (?:retract|withdraw) (?:this|that|my|the)\b|^(?:but )?i refuse$/,
];

// What was not looked at is asked for: "code outside of the diff was not reviewed" says nothing against the change.
const BESIDE_THE_CHANGE =
  /\b(?:outside(?: of)?|beyond|other than|elsewhere than|besides|not in)(?:\s\S+){0,4}?\s(?:diff|changes?|branch|patch|commit)\s(?:was|were|could|cannot|has|have)\b/;

// "When the commit could not be read" tells of the code, not of the review.
const UNSEEN = [
  /\b(?:diff|changes?|branch|code|repository|repo|patch|commit|review)\s(?:could not|cannot|can't|couldn't|was not|were not)(?: be)?\s(?:read|seen|accessed|opened|reviewed|loaded|fetched|inspected|completed|performed|done|retrieved)\b/,
  /\b(?:could not|cannot|can't|couldn't|unable to|not able to|failed to)\s(?:read|see|access|open|review|load|fetch|inspect|complete|view|retrieve)\s(?:the |this |any |of |your |whole |entire |full |actual )*(?:diff|changes?|branch|code|repository|repo|patch|commit|review)\b/,
  /\b(?:could not|cannot|can't|couldn't|unable to|not able to|failed to)\s(?:check out the (?:branch|code|repository|repo)|(?:read|open|access|view|see) any (?:of the )?(?:changed )?files?)\b/,
  /\bno (?:diff|patch|code|changes) (?:was|were|is|are) (?:provided|given|available|attached|shown|supplied|visible)\b/,
  /^(?:the )?(?:code )?review (?:has |was )?(?:failed|aborted|incomplete|timed out|interrupted|skipped)\b/,
];

const STANDS_IN_THE_WAY = [
  /\bno-go\b|^no go$|\bnack\b|\bhold off\b|\bhold (?:this|it|the \w+) back\b|\brequest(?:ing|s|ed)? changes\b|\bchanges?[ _](?:are |is )?(?:requested|required|needed|necessary)\b/,
  /\bneeds[_ ](?:more |further |some |significant |a lot of )?(?:work|rework|changes|fixes|revision)\b|\bcritical_issues\b/,
  /\b(?:blocks?|blocking) (?:the |this |a )?(?:merg(?:e|ing)|releas(?:e|ing)|approval)\b|\bmerge (?:is|remains|stays) blocked\b/,
  /\b(?:against|unfit for|unsafe (?:to|for)|opposed? to)\s(?:the |this |a )*(?:merg(?:e|ing)|ship(?:ping)?|approv(?:al|ing|e)|releas(?:e|ing)|deploy(?:ing|ment)?|production)\b/,
  /^(?:[\w ]{1,30}: ?)?(?:merg(?:e|ing)|approval|shipping|releas(?:e|ing))(?: (?:this|it|the \w+|now))?\s(?:is|would be|should be|must be|should|cannot|can|remains)\s(?:not|un\w+|blocked|withheld|denied|premature|refused|be blocked)\b/,
  /(?:^|\b(?:this|it|branch|pr|change|pull request|code) )requires? (?:changes|fixes|rework|revision|more work)\b/,
  /\b(?:reject(?:ed|ing)?|revert(?:ing)?|veto(?:ing)?|den(?:y|ied)) (?:this|the) (?:branch|change|changes|pr|pull request|story|merge)\b/,
  /^(?:(?:my|the|final|overall|review) )*(?:verdict|decision|status|result|recommendation|conclusion|outcome|assessment)\s?(?:[:=|]|→|is|of)+\s?(?:clear |a |an )?(?:fail(?:ed|s|ure)?|reject(?:ed)?|block(?:ed|ing)?|denied|unsafe|inconclusive|not (?:ok|okay|approved|ready|passed))\b/,
  /^[^\w[]*(?:rejected|reject|blocked|fail|failed)$/,
];

// What is light may be asked for before a merge without standing in its way.
const LIGHT = /\b(?:minor|optional|optionally|nits?|naming|wording|small|cosmetic|polish|style|follow-?up|later|if)\b/;

const REPAIR = "(?:fix|address|resolve|correct|repair|rework|redo|revert|rewrite|revise|patch|rectify|remediate)";
const REPAIRED =
  "(?:fix(?:ed|ing)?|address(?:ed|ing)?|resolv(?:ed|ing)|correct(?:ed|ing)|repair(?:ed|ing)?|rework(?:ed|ing)?|rewritten|revert(?:ed|ing)?|remediat(?:ed|ing))\\b";
const IMPERATIVE = new RegExp(`${LEAD_IN}(?:first,? )?${REPAIR} `);
const FIX_AS_A_NOUN = /\b(?:fix|patch) (?:is|looks|holds|works|verified|confirmed|seems|was|has|and)\b/;
const REPAIR_BEFORE_MERGE = new RegExp(
  `\\b(?:${REPAIR}|restore|${REPAIRED})\\b.{0,80}\\b(?:before|prior to)\\s(?:the |a |it |this |is |can |be )*(?:merg|releas|ship|approv|deploy)`,
);
const DEMANDS = [
  new RegExp(
    `\\b(?:must|should|needs? to|has to|have to|ought to)\\s(?:first |still |be |get )*(?:${REPAIR}\\b|${REPAIRED})`,
  ),
  new RegExp(
    `\\b(?:before|after|once|until|unless|provided|assuming|pending|subject to|conditional on)\\b.{0,80}\\b${REPAIRED}`,
  ),
  new RegExp(`\\b${REPAIR}\\b.{0,80}\\b(?:first|before|prior to)\\b`),
];

const GRAVE =
  /\b(?:critical|severe|serious|blocking|high[- ]severity|major|fatal|important|must[- ]fix)\s(?:[\w-]+\s){0,2}(?:issues?|problems?|bugs?|flaws?|defects?|findings?|errors?|concerns?|holes?|gaps?|vulnerabilit(?:y|ies)|injection|leaks?|regressions?)\b|\bblockers?\b|\bshow-?stoppers?\b|[([](?:critical|severe|blocker|blocking|high|p[01])[)\]]|\b(?:is|are) (?:critical|blocking|exploitable|vulnerable)\b/;
const DEFECT =
  /\b(?:bugs?(?![- ]?fix)|defects?|flaws?|vulnerabilit(?:y|ies)|vulnerable|injections?|xss|csrf|crash(?:es)?|leak(?:s|ed)?|deadlocks?|race conditions?|regressions?(?! tests?)|overflows?|exploit(?:able|s)?|insecure|unsafe|broken|breaks|incorrect(?:ly)?|wrong(?:ly)?|corrupts?|data loss|critical(?! (?:paths?|sections?))|severe|fatal|issues?|problems?|concerns?|hardcoded|unvalidated|unescaped|unsanitized)\b/;
const LABEL =
  /^\W*(?:error|warning|critical|fatal|blocker|high|medium|low|important|p[0-3])\s?(?:$|[:|\])]|[-–—]|\S+[:(]\d)|\[(?:p[0-4]|error|warning|critical|high|medium|low)\]|\|\s*(?:error|warning|critical|high|medium|low|important|blocker)\s*(?:\||$)|\berror:|\berror ts\d|^error\s\S*[./\\]\S*/;
