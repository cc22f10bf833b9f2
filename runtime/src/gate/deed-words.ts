/**
 * How people ask for a deed, as data in small letters. `verbs` count anywhere; `nouns` are verbs that are as often nouns
 * ("mail Jo" but "read the mail") and count only where a request begins. `phrases` are patterns that begin with `\\b` and
 * a word, or a group of words. `stems` begin a word in other languages; `signs` count anywhere in Chinese, Japanese and
 * Korean. Both are patterns that begin with a letter.
 */
import { anyOccurs, type NearPattern } from '../language/near-pattern.ts'
import type { Deed } from '../protocol/facts.ts'

export interface DeedWords {
  verbs: string
  nouns?: string
  phrases?: readonly string[]
  stems?: string
  signs?: string
}

const PRIVATE =
  '(?:pass(?:word|code|phrase)s?|pin|credentials?|e-?mail address|(?:home |street |postal |my |user )address|phone(?: number)?|profile|accounts?|user ?info(?:rmation)?|personal (?:data|details|info(?:rmation)?)|two-factor|2fa|mfa|security|polic(?:y|ies)|bio|settings?|signature)'
const MONEY =
  '(?:[$€£¥₹]\\s?\\d|\\d[\\d.,]*\\s?(?:usd|eur|gbp|chf|dollars?|euros?|pounds?|bucks|btc|eth|bitcoins?)\\b|money\\b|funds\\b|the (?:difference|\\S* ?amount|rest|money)\\b)'

export const DEED_WORDS: Readonly<Record<Exclude<Deed, 'read'>, DeedWords>> = {
  exec: {
    verbs: 'execute launch install deploy restart reboot compile invoke spawn uninstall rerun',
    nouns: 'run start stop build lock kill shutdown trigger',
    phrases: [
      '\\b(?:turn|switch|power) (?:on|off)\\b',
      '\\b(?:turn|switch) (?:\\S+ ){1,4}(?:on|off)\\b',
      '\\bshut down\\b',
    ],
    stems:
      'ausführ installier starte neustart exécut installe(r|z)?\\b redémarr lance(r|z)?\\b ejecut instal(a|e)(r)? reinici esegu avvi(a|are) execut(e|ar) uitvoer запусти выполни установи',
    signs:
      '运行 执行 启动 安装 部署 重启 编译 关机 把\\S{1,10}关(了|掉|上) 开灯 关灯 开门 锁门 実行 起動 インストール 再起動 실행 설치 재시작',
  },
  payment: {
    verbs: 'pay repay prepay settle refund reimburse remit donate withdraw deposit compensate overpay payout disburse',
    nouns: 'transfer wire tip charge fund bill credit debit',
    phrases: [
      '\\btop up\\b',
      '\\b(?:have|get|need|want)\\b[^.!?]{1,40}\\bpaid\\b',
      '\\b(?:owes?|gets? (?:\\S+ ){0,3}(?:money|back what|paid|refunded|reimbursed))\\b',
      '\\b(?:give|pay|send)\\b[^.!?]{0,40}\\bback\\b',
      `\\b(?:gets?|receives?)\\b[^.!?]{0,30}(?:${MONEY}|vouchers?\\b|refunds?\\b)`,
      '\\bput \\d',
      '\\b(?:should|must|needs? to|to|can) be paid\\b',
      `\\b(?:send|give|return|forward|wire|transfer)\\b[^.!?]{0,40}${MONEY}`,
      '\\b(?:make|schedule|set up|initiate|adjust|update|change|increase|raise|process|complete)\\b[^.!?]{0,50}\\b(?:payments?|transactions?|transfers?|standing orders?|direct debits?)\\b',
    ],
    stems:
      'überweis überwies bezahl(e|en|t)? zahl(e|en|t)? erstatt begleich pay(er|ez|e) vir(er|ez|ement) rembours règle(r|z)? transfier transferir pag(a|ar|ue|uen|o|are|hi) reembols devuelv abona rimbors bonific trasferi reembolse betaal overmak terugbetaal оплат заплат перевед верни',
    signs:
      '支付 付款 付给 把\\S{1,24}(?:交|付|还|缴|退|结)(?:了|掉|清|上|一下) 交\\S{0,6}费 付清 付一下 付了(?=吧|[，。！]|$) 汇[入至到] 打[给到]\\S{0,14}(?:账|卡|户) 转入 转过去 结一下 转账 转给 汇款 打款 缴费 交费 缴纳 退款 退还 报销 还款 充值 提现 结清 捐款 给\\S{1,12}转\\s?\\d 转\\d+元? 支払 送金 振り込 振込 返金 払って 결제 송금 이체 환불 지불',
  },
  delete: {
    verbs:
      'delete remove erase wipe purge discard cancel unsubscribe revoke deactivate disable terminate destroy unshare',
    nouns: 'trash drop clear kick ban block kill strike',
    phrases: [
      '\\bget rid of\\b',
      '\\b(?:have|get)\\b[^.!?]{1,40}\\b(?:deleted|removed|cancelled|canceled)\\b',
      '\\b(?:want|need|see|should be|must be)\\b[^.!?]{0,60}\\bgone\\b',
      '\\btaken?\\b[^.!?]{0,40}\\b(?:down|off|out of)\\b',
      '\\bclean (?:up|out)\\b',
      '\\btake (?:\\S+ ){1,4}away\\b',
      '\\bthrow (?:away|out)\\b',
    ],
    stems:
      'lösch entfern stornier kündig supprim efface(r|z)? annul(e|er|ez|a|are|la|lare) retir(er|ez) elimin borr(a|e|ar) cancel(a|ar|e|la|lare) quit(a|ar|e) rimuov cancell apag(a|ar|ue) remov(a|er) verwijder annuleer удали отмени сотри',
    signs:
      '删除 删掉 删了(?=吧|[，。！]|$) 的删了 去掉 去除 拿掉 退订 退掉 挂失 移除 清空 清除 取消 注销 撤销 卸载 踢出 禁用 停用 作废 削除 消して 取り消 キャンセル 삭제 지워 취소 제거',
  },
  share: {
    verbs: 'share grant invite authorize authorise unlock expose entitle whitelist',
    phrases: [
      '\\b(?:give|gets?|have|has|needs?|receives?)\\b[^.!?]{1,80}\\b(?:access|permissions?|rights)\\b',
      '\\b(?:can|may|should|must be able to) (?:have|see|edit|view|open|read) (?:it|them|this|that)\\b',
      '\\b(?:add|allow|enrol|enroll)\\b[^.!?]{1,60}\\b(?:to|as|in|into|on)\\b',
      '\\bmake (?:\\S+ ){1,4}public\\b',
      '\\b(?:can|should|must) be able to (?:see|read|edit|view|open|comment)\\b',
      '\\bbring\\b[^.!?]{1,60}\\b(?:into|on board)\\b',
      '\\bwith (?:\\S+ ){0,3}(?:access|rights)\\b',
      '\\btransfer\\b[^.!?]{0,20}\\bownership\\b',
      '\\b(?:have|get)\\b[^.!?]{1,40}\\bshared\\b',
    ],
    stems:
      'teil(e|en|t)\\b freigeb freigib einlad lad(e|en)\\b gewähr partage(r|z)? invite(r|z)? accorde(r|z)? compart(e|ir|a) invit(a|ar|e|are) conced(e|er|a|ere) condivid convid(a|ar|e) deel(en)?\\b nodig\\b поделись пригласи предостав открой',
    signs:
      '分享 共享 授权 邀请 授予 赋予 开放权限 拉进 拉入 拉到 拉\\S{1,8}[进入] 加进 加到\\S{0,8}群 开通权限 给\\S{1,16}权限 加入群 公开 开锁 解锁 共有 招待 許可 공유 초대 권한',
  },
  account: {
    verbs: 'register enroll autofill impersonate',
    phrases: [
      `\\b(?:change|reset|update|set|modify|edit|rotate|replace|correct|fill|create|open|close|verify|link|unlink|enable|switch)\\b[^.!?]{0,50}\\b${PRIVATE}`,
      '\\b(?:sign|log) (?:\\S+ )?(?:up|in|out)\\b',
      `\\b(?:have|get|need|want)\\b[^.!?]{1,40}${PRIVATE}[^.!?]{0,20}\\b(?:changed|updated|reset|set)\\b`,
      `\\b(?:have|get)\\b[^.!?]{1,40}\\b(?:changed|updated|reset)\\b[^.!?]{0,20}\\b${PRIVATE}`,
    ],
    stems: 'registrier anmeld passwort inscri(re|vez) connecte(r|z) regístr registr(a|ar|are|e) зарегистрир',
    signs:
      '修改密码 重置密码 改密码 注册 登录 绑定 开通 改绑 更新地址 更新资料 修改地址 修改资料 登録 パスワード 비밀번호 가입 로그인',
  },
  order: {
    verbs: 'reserve buy purchase subscribe checkout rebook arrange',
    nouns: 'book order rent hire return',
    phrases: [
      '\\bmake (?:\\S+ ){0,4}(?:reservations?|bookings?|purchases?|appointments?)\\b',
      '\\b(?:fly|get|find|grab) (?:me|us|myself|ourselves)\\b(?=[^.!?]{0,60}\\b(?:home|to|tickets?|seats?|table|room|flight|hotel|car|taxi|ride|place)s?\\b)',
      "\\b(?:would|'d) like (?:to stay|a (?:room|car|flight|table|hotel|taxi|ticket|seat|ride)s?)\\b",
      '\\b(?:need|want)\\b[^.!?]{0,20}\\b(?:room|car|flight|table|hotel|taxi|ticket|seat|ride)s?\\b',
      '\\btake (?:it|that one|this one|the \\S+ one)\\b',
      '\\badd (?:\\S+ ){1,8}cart\\b',
      '\\b(?:swap|exchange|reorder|send back)\\b',
      '\\bplace\\b[^.!?]{0,20}\\borders?\\b',
      '\\bget (?:me|us) (?:\\S+ ){0,3}(?:tickets?|seats?|table|room|flight)s?\\b',
      '\\b(?:have|get)\\b[^.!?]{1,40}\\b(?:booked|reserved|ordered)\\b',
    ],
    stems:
      'buch(e|en|t)\\b reservier bestell kauf(e|en|t)?\\b réserve(r|z)? achet commande(r|z)\\b reserv(a|ar|e) compr(a|ar|e|are)\\b prenot(a|are) ordin(a|are)\\b boek reserveer koop\\b забронир купи закажи',
    signs:
      '预订 预定 订购 订(?!单|阅|正|户) 购买 下单 租\\S{0,8}车 打车 叫车 买一 买个 租用 租一 订阅 预约 予約 注文 購入 買って 예약 주문 구매',
  },
  send: {
    verbs:
      'send resend forward notify inform publish announce broadcast tweet congratulate invite share refer attach submit provide supply disclose reveal relay',
    nouns: 'mail email e-mail message text dm ping post comment contact cc bcc alert greet thank welcome page',
    phrases: [
      '\\b(?:reply|respond)(?:ing)?\\b(?! (?:with|in|only|just|me|using)\\b)',
      '\\banswer\\b[^.!?]{0,40}\\b(?:ticket|e-?mail|mail|message|comment|letter|review|inquiry|enquiry|thread|customer|him|her|them)s?\\b',
      '\\b(?:write|draft|compose|leave|submit|drop)\\b[^.!?]{0,24}\\b(?:to|e-?mails?|messages?|comments?|letters?|notes? (?:to|for)|review)\\b',
      '\\b(?:tell|remind|ask)\\b(?<!\\b(?:they|he|she|it|you|who|that|i|we) \\w+)(?! (?:me|us|if|whether|what|how|when|which)\\b)',
      '\\blet (?!me|us)(?:\\S+ ){1,4}(?:know|have)\\b',
      '\\b(?:should|must|ha(?:s|ve) to|needs? to|ought to) (?:know|hear|be told|be informed)\\b',
      '\\b(?:wants?|needs?|expects?) (?:\\S+ ){0,3}(?:confirmation|answer|reply|response|word)\\b',
      '\\b(?:gets?|receives?) (?:\\S+ ){0,3}(?:reminder|message|e-?mail|note|answer|reply|invitation|copy|word|news)\\b',
      '\\bput up\\b',
      '\\b(?:accept|decline|confirm|agree to)\\b[^.!?]{0,40}\\b(?:proposal|invitation|invite|offer|request|time|date|slot|appointment)s?\\b',
      '\\b(?:pass|hand) (?:\\S+ ){1,4}on\\b',
      '\\b(?:reach out|get back|follow up) (?:to|with)(?! me\\b)',
      '\\bsay (?:\\S+ ){1,8}(?:to|is|are|will|works?|fine|yes|no|ok)\\b',
      '\\bdrop (?:\\S+ ){1,3}a (?:line|note|message)\\b',
      '\\b(?:have|get)\\b[^.!?]{1,40}\\bsent\\b',
      '\\bget\\b[^.!?]{1,40}\\bto (?:everyone|everybody|him|her|them|the team)\\b',
      '\\bmake sure (?:\\S+ ){1,4}(?:gets|receives|knows|hears)\\b',
      '\\bgive\\b[^.!?]{1,30}\\b(?:greeting|welcome|warning|notice)\\b',
    ],
    stems:
      'send(e|en|et)\\b beantwort schreib schick versend antwort(e|en|et)?\\b mail(e|en)\\b benachrichtig weiterleit leite\\b envoye envoie répond(s|re|ez) transmet publie(r|z)? enví(a|o|e) envi(a|ar|e|are)\\b mand(a|ar|e|are)\\b respond(a|e|er)\\b contest(a|ar|e)\\b reenv notific(a|ar)\\b invi(a|are|ate)\\b inoltr rispond(i|ere|ete) encaminh respond(a|er) stuur verzend beantwoord отправ пошли напиши ответь перешли сообщи опублик',
    signs:
      '发送 发给 发到 发过去 转给 转到\\S{0,8}(?:邮箱|群) 说一声 提醒(?!我) 告诉(?!我) 问一下\\S 回一下 回个 发一 发封 发邮件 发消息 发个 发短信 发条 发微信 发信 寄给 寄送 转发 回复 答复 回信 通知 告知 告诉他 告诉她 告诉他们 发布 发帖 发表 评论 留言 群发 抄送 分享 送信 送って 転送 返信 投稿 知らせ 連絡 보내 전송 답장 회신 게시 알려',
  },
  write: {
    verbs:
      'create add update edit change modify rename move copy save append insert reschedule postpone assign archive upload redirect adjust increase decrease extend organize organise rearrange reopen merge replace fix resolve generate complete configure correct convert implement refactor revise restore unarchive enable activate adapt finish dispatch apply approve accept reject decline mute snooze commit lower raise reduce halve double',
    nouns:
      'set mark record log note label star pin plan make put schedule close write draft fill tag store build sort prepare manage patch remind tidy handle process confirm',
    phrases: [
      '\\b(?:have|get)\\b[^.!?]{1,40}\\b(?:changed|updated|moved|created|added|done)\\b',
      '\\bhave (?:them|him|her|it) \\w+\\b',
      '\\b(?:pause|upgrade|downgrade|swap|dim|renew)\\b',
    ],
    stems:
      'erstell änder aktualisier speicher verschieb hinzufüg füge\\b trag(e)?\\b schließ anleg markier bearbeit cré(e|er|ez)\\b ajout modifi mets? enregistr ferme(r|z)?\\b déplac cre(a|ar|e|are)\\b añad agreg(a|ar|ue) actualiz cambi(a|ar|e|are)\\b guard(a|ar|e)\\b mueve mover cierr program(a|ar|e)\\b aggiung aggiorn salv(a|ar|are)\\b spost chiud(i|ere) adicion(a|ar|e) atualiz alter(a|ar|e)\\b fech(a|ar|e)\\b maak\\b voeg\\b wijzig sluit создай добав обнов измени сохрани закрой перенеси',
    signs:
      '创建 新建 添加 改送 改寄 改派 调到 调整 调高 调低 提高 降低 更换 换成 改签 延长 缩短 增加 更新 修改 编辑 更改 改成 改为 改到 重命名 移动 移到 保存 写入 写到 写一 写个 记录 记下 设置 设为 标记 关闭 关掉 安排 改期 推迟 上传 整理 生成 归档 分配 指派 完成 处理 建一 建个 加上 加到 作成 追加 更新 変更 保存 編集 閉じ 移動 設定 추가 생성 수정 변경 저장 만들 닫아 업데이트',
  },
  browse: {
    verbs: 'visit browse navigate click',
    nouns: 'open fetch load call request follow press tap hit',
    phrases: ['\\bgo to\\b', '\\baccess (?:https?:|www\\.|the (?:site|page|link|url))'],
    stems:
      'öffne besuch(e|en)?\\b ruf(e)?\\b ouvr visite(r|z)?\\b abr(e|ir|a)\\b visit(a|ar|e|are)\\b apri\\b открой перейди',
    signs: '访问 打开 点击 开く 開いて アクセス 방문 열어 클릭',
  },
}

/** "Do what it says": the text may say what to change, but not whom to pay, write to or share with. Of small letters. */
const DELEGATES: readonly NearPattern[] = [
  {
    near: /\bdo (?:what|all|every|as|the|it|that)|\bas \S+ |\bper |the way|like (?:s?he|it|they|the|in)\b|what (?:s?he|they|\S+) |whatever|according|sort|deal|care|follow|carry|execute|perform|complete|implement|handle|process|take|through|address|act on|incorporate|work/,
    pattern:
      /\bdo (?:what|whatever|everything|as|all)\b(?:[^.!?]|\.(?=\S))*\b(?:asks?|says?|wants?|requests?|requires?|needs?|tells?|lists?|describe[sd]?|specifie[sd]|mention(?:s|ed)|in|on (?:it|the|that|my|our|his|her|there)|that falls)\b|\b(?:follow|carry out|execute|perform|complete|implement|incorporate|handle|process|take care of|work (?:through|in|off)|address|act on)\b[^.!?]*\b(?:instructions?|steps|requests?|tasks?|actions?|to-?dos?|tickets?|asks?|items?|comments|remarks|feedback|corrections|checklist|guide|procedure|manual)\b|\bwork through\b|\b(?:sort out|deal with|take care of|see to)\b|\b(?:as|like|the way)\s+(?:[\p{L}\d'’._/-]+\s+){1,4}?(?:asked|asks|suggested|suggests|said|says?|wants?|wanted|wrote|told|needs|requested|requires|required|listed|described|describes|explained|sketched|outlined|proposed|agreed|laid out|set out|put it|specified|instructed)\b|\b(?:as )?per (?:the|his|her|their|our|its|\p{L}+['’]s)\b|\b(?:do|handle|fix|apply|change|set|install|enter|use|make|book|order|send|add|answer)\b(?:(?!\b(?:tell|show|give|let|know|see|check)\b)[^.!?])*\b(?:what|whatever)\s+(?:[\p{L}'’]+\s+){1,6}?(?:asked|asks|suggested|suggests|said|says?|wants|wanted|wrote|told|needs|requested|put|listed|linked)\b|\bdo (?:it|that|(?:the )?(?:\p{L}+ )?(?:comments?|points?|items?|tasks?|steps?|to-?dos?|things?|stuff|rest))\b|\baccording(?:ly| to)\b/u,
  },
  {
    near: /[按照依据]|要我|要求|说的|让我|分给我/,
    pattern:
      /(?:按照?|依照|依据|根据|遵照)[^。！？]{0,30}(?:办|做|处理|执行|操作|要求|说明|指示|说的|转|填|交|付|点|选|结|来|开|改|设|报|订|建|排|弄|配|退|补|清|发下)|照[^。！？]{0,20}(?:办|做|改|填|写|来|买|转|清|拉|分|发|开|删|建|设|报|订)|(?:要我|让我|分给我|交代|说的|要求)[^。！？]{0,16}(?:办|做|弄|处理|照)(?!什么|啥|哪)/u,
  },
  {
    near: /erledig|mach/,
    pattern: /(?:erledige|mach)\p{L}*[^.!?]*(?:ticket|aufgabe|verlangt|steht)|(?:ticket|aufgabe)[^.!?]*erledig/u,
  },
  {
    near: /fais|faites|haz|haga|fai|faça/,
    pattern: /(?:fais|faites|haz|haga|fai|faça)\b[^.!?]*(?:demande|pide|chiede|pede|indica)/u,
  },
]

export function delegates(text: string): boolean {
  return anyOccurs(DELEGATES, text)
}
