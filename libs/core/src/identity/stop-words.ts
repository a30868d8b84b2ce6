/** Words that say nothing of a defect: of the language, and of every review. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  [
    "a an the this that these those it its they them their there here he she we our us you your i",
    "is are was were be been being am do does did done doing has have had having can could will would should shall may might must",
    "and or but nor so if then else than because since while when where which who whom whose what why how as at by for from in into of off on onto",
    "out over to under up with within via per about after again against all also although always any anyway are aren around before both each either",
    "even ever every few further get gets getting got just like likely make makes making many more most much need needs neither never no not now once one",
    "ones only other others otherwise own same simply some something still such though through thus too two use used uses using very well whether without yet",
    "don doesn didn isn wasn won wouldn couldn shouldn cannot let lets e g ie eg etc vs",
    "line lines code file files review reviewer finding issue problem please consider seems currently instead",
    "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня еще нет о из ему когда даже ну ли если уже или ни быть был него до вас",
    "нибудь опять уж вам ведь там потом себя ничего ей может они тут где есть надо ней для мы тебя их чем была сам чтоб без будто чего раз тоже себе под будет ж тогда кто этот того потому этого какой",
    "der die das den dem des ein eine einer eines und oder aber nicht ist sind wird werden wurde mit von zu im am auf für bei als auch wie wenn dass",
    "le la les un une des du de et ou mais ne pas est sont sera avec dans sur pour par que qui ce cette ces",
  ]
    .join(" ")
    .split(" "),
);
