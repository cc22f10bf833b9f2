/** Proper names in what a user writes: whom and what the words are about. */
import { fitting } from './fitting-pattern.ts'

const HAN = /\p{Script=Han}/u
/** Days and months say when. */
const CALENDAR =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mr|mrs|ms|dr|please|hi|hello|hey|thanks|english|german|french|spanish|italian|chinese|easter|christmas|monday's|friday's)$/i
const CAPITALISED = /\p{Lu}[\p{L}\p{N}&'’-]*(?: (?:\p{Lu}[\p{L}\p{N}&'’-]*|\p{N}+\b))*/gu
/** "I'm", "I've". */
const PRONOUN = /^I(?:['’]\p{L}+)?$/u
/** All capitals are as often a unit or a format: EUR, PDF, VAT. */
const ABBREVIATION = /^\p{Lu}{1,3}$/u
const OPENS_SENTENCE = /(?:^|[.!?:;\n"“(]\s*|^\W*)$/u
const SURNAMES =
  '王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤'
/** 给王伟, 跟李经理, 王姐: after a word that leads to a person, or with a title. */
const CHINESE_PERSON = new RegExp(
  `(?<=[给向跟和让请找替与是把同问]|通知|告诉|回复|邀请|联系|提醒|抄送|转给|发给|^)(?:[老小]?[${SURNAMES}]\\p{Script=Han}{1,2}?)(?=[的发说回转约开在要来去把和跟与、，。：:,. 那这一下问写]|$|邮件|消息)|[${SURNAMES}](?:总|姐|哥|工|经理|老师|主任|阿姨|叔叔?|师傅|医生|律师|教授|处|局|董|会计)|[老小阿][${SURNAMES}](?!\\p{Script=Han}?(?:时|事|票|费))`,
  'gu',
)

/** In small letters. A name of several words is given as these words. */
export function namesIn(text: string): string[] {
  const found = new Set<string>()
  for (const { 0: run, index } of text.matchAll(fitting(text, CAPITALISED))) {
    const words = run.split(/\s+/).map((word) => word.replace(/['’]s?$/u, ''))
    // The first word of a sentence is a name only if the next one is one, too; then both are in the same run.
    const opens = OPENS_SENTENCE.test(text.slice(Math.max(0, index - 4), index))
    for (const word of opens ? words.slice(1) : words) {
      if (
        word.length < 2 ||
        fitting(word, CALENDAR).test(word) ||
        fitting(word, PRONOUN).test(word) ||
        fitting(word, ABBREVIATION).test(word)
      )
        continue
      found.add(word.toLowerCase())
    }
  }
  if (fitting(text, HAN).test(text)) for (const { 0: name } of text.matchAll(CHINESE_PERSON)) found.add(name)
  return [...found]
}

/** "Reply to Flo", "tell Colm", "pay Hedda". */
const BEFORE_RECIPIENT =
  /\b(?:repl(?:y|ies)|write|respond|answer|get back|reach out|send|forward|pass|mail|email|text|message|ping|dm|tell|ask|notify|inform|remind|thank|invite|pay|repay|reimburse|transfer|wire|owe|give|grant|allow|let|add|promote)(?: (?:back|on|it|them|this|that|access|(?:the|a|my|our)(?: \p{Ll}+){1,2}))?(?: (?:to|with|for))?\s+(?=\p{Lu})|\bshare(?: \S+){1,4}? with\s+(?=\p{Lu})/giu

const TITLE = /^(?:(?:mr|mrs|ms|miss|dr|prof(?:essor)?|madame|monsieur|frau|herr|sir|uncle|aunt)\.? )+/iu

const NAME = /^\p{Lu}\p{Ll}[\p{L}\p{N}&’-]*/u

/** 告诉小王, 发给李经理. */
const CHINESE_RECIPIENT = /(?:告诉|通知|回复|提醒|邀请|联系|抄送|[发转付打寄汇还][给到]|给)$/u

/** In small letters; none where the words name no one. */
export function recipientsIn(text: string): string[] {
  const found = new Set<string>()
  for (const { 0: lead, index } of text.matchAll(fitting(text, BEFORE_RECIPIENT))) {
    const after = text.slice(index + lead.length)
    const rest = after.replace(fitting(after, TITLE), '')
    const [name] = rest.match(fitting(rest, NAME)) ?? []
    if (name !== undefined && !fitting(name, CALENDAR).test(name) && !fitting(name, PRONOUN).test(name))
      found.add(name.replace(/[’-]s?$/u, '').toLowerCase())
  }
  if (fitting(text, HAN).test(text))
    for (const { 0: name, index } of text.matchAll(CHINESE_PERSON))
      if (CHINESE_RECIPIENT.test(text.slice(Math.max(0, index - 2), index))) found.add(name)
  return [...found]
}
