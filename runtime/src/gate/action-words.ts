/** Changes for which people have words of their own: how tools name them, and how users ask for them. */

import type { Deed } from '../protocol/facts.ts'

export interface SpecialKind {
  name: 'schedule' | 'decide' | 'react' | 'form' | 'account' | 'lasting'
  deeds: readonly Deed[]
  /** A word of a tool's name, or a value that selects what it does. */
  tool: RegExp
  /** In the user's words, in small letters. */
  asked: RegExp
}

export const SPECIAL_KINDS: readonly SpecialKind[] = [
  {
    name: 'form',
    deeds: ['send', 'write'],
    tool: /^(?:submit|submits|form|forms|fill)$/,
    asked:
      /\b(?:fill|form|submit|appl(?:y|ication)|regist|sign|rsvp|enter|book|order|renew|cancel|repl|answer|post|reserv|chang|updat|survey|log ?in|finish|request|claim|report|questionnaire|page|site|website|portal|online|web)|填|报名|登记|申请|提交|预约|退订|续|挂失|改期|约|选|签|注册|办|申报|网上|线上|网页|登录/u,
  },
  {
    // Where money, mail and visitors go from now on, and who gets back in: "settings" does not ask for these.
    name: 'lasting',
    deeds: ['account', 'write'],
    tool: /^(?:payouts?|bank|ibans?|payees?|salary|payroll|beneficiar(?:y|ies)|(?:auto)?forward(?:ing|er|ers)?|recovery|mfa|2fa|authenticator|otp|totp|dns|nameservers?|mx)$/,
    asked:
      /\b(?:pay-?outs?|bank|iban|payees?|salar(?:y|ies)|payroll|wages?|beneficiar|forward|redirect|divert|recover|mfa|2fa|two.factor|authenticat|otp|codes?\b|dns|domain|nameserver|records?\b)|收款|工资|银行|账户|账号|卡号|受益人|转发|转寄|恢复|找回|验证|两步|双重|域名|解析/u,
  },
  {
    name: 'account',
    deeds: ['account'],
    tool: /./,
    asked:
      /\b(?:account|log ?(?:me )?in|login|logged in|sign(?:ed)? (?:me )?(?:in|up|out)|password|passcode|pin\b|credentials|vault|register|enrol|profile|settings?|limit|plan|subscri|membership|member|code|otp|2fa|mfa|phone|address|e-?mail address|moved|key|token|auto-?reply|out of office|upgrade|downgrade|pause|resume|take\b.{1,40}\bout of|should be in)|账号|账户|密码|登录|注册|绑|验证码|手机号|号码|地址|资料|套餐|设置|自动回复|订阅|会员|额度|限额|搬家|工资卡|改成|改到|换/u,
  },
  {
    name: 'decide',
    deeds: ['write'],
    tool: /^(?:approve[ds]?|approvals?|reject|decide|decision|accept|decline|merge|sign|vote|confirm|同意|通过|驳回|批准|拒绝)$/,
    asked:
      /\b(?:approv|sign(?:ed|ing)? (?:it |them |this |that )?off|accept|reject|declin|merg|vot|confirm|ok(?:ay)?\b|let (?:it|them|him|her) through|give\b[^.!?]{1,30}\bgo|green.?light|turn(?:ed)? down|say (?:yes|no)|agree)|批|同意|审|驳回|通过|合并|签|拒绝|确认|放行/u,
  },
  {
    name: 'schedule',
    deeds: ['write', 'send', 'share'],
    tool: /^(?:calendars?|cal|events?|meetings?|appointments?|agenda|reminders?|invites?)$/,
    asked:
      /\b(?:meet|calendar|event|appointment|schedul|reschedul|invit|diary|agenda|remind|call|lunch|dinner|coffee|sync|stand-?up|session|interview|slot|postpone|block|book|move|push|shift|set up|put|cancel|room|time|o'clock|noon|am\b|pm\b|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|next week)|日程|会|约|排|提醒|日历|改期|改到|挪|推迟|提前|时间|周[一二三四五六日天]|明天|后天|点/u,
  },
  {
    name: 'react',
    deeds: ['write', 'send'],
    tool: /^(?:star|unstar|like|follow|unfollow|subscribe|join|leave|rate|rating|upvote|watch|fork|favou?rite|review|reviews|endorse)$/,
    asked:
      /\b(?:star|like|follow|subscri|join|leave|leaving|quit|rate|rating|upvot|watch|fork|favou?rit|review|feedback|endors|get (?:me )?out of|stars)|点赞|收藏|打[个几]星|五星|评论|关注|评价|好评|差评|退出|加入|订阅|打分|星/u,
  },
]

/** A value of a call with which everyone, or another owner, gets something. */
export const OPEN_TO_ALL =
  /^(?:public|anyone|everyone|everybody|world|internet|anonymous|anyone[_-]with[_-](?:the[_-])?link|owner|admin|administrator|(?:互联网)?公开|所有人|任何人|所有者|管理员|可管理)$/i
/** In the user's words, in small letters. */
export const ASKS_TO_OPEN =
  /\b(?:public|publish|any(?:one|body)|every(?:one|body)|world|internet|link|open(?! an?\b)|own(?:s|er|ership)?\b|admin|control|manage|lead|take over|hand over)|公开|发布|所有人|任何人|大家|全员|全体|链接|外链|所有者|管理|接管|移交/u

/** The user speaks of pages, links or looking things up. Of small letters. */
export const ASKS_FOR_WEB =
  /\b(?:links?|urls?|web|website|site|pages?|articles?|posts?|blog|online|internet|www|https?|download|downloads|browse|visit|open|look (?:it |this |that |them )?up|search|research|find out|docs|documentation|guide|tutorial|form|portal|shop|store|track|find|piece|story|news|read|manual|pdf|video|compare|price|prices|reviews|listing)\b|链接|网址|网页|网站|网上|文章|下载|打开|官网|搜|查一?[下查]|页面|表单/u
/** The user's words are about something that is done on a page. Of small letters. */
export const DONE_ON_PAGES =
  /\b(?:site|web|website|page|portal|online|form|forum|sign|log ?in|login|register|renew|apply|book|order|reserve|check.?in|submit|enter|fill|download|upload|account|change|cancel|unsubscribe|newsletter|off (?:that|the|their|this) list|status|timesheet|handbook|app)\b|网|页|填|报名|登[录记]|申请|预约|选课|提交|办理|查|订|改期|缴/u
