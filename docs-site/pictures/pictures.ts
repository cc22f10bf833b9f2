/** The pictures of the concepts. `npm run reference` writes them to `docs/pictures/`. */
import type { Lang } from '../../runtime/src/base/lang.ts'
import { type Look, type Picture, svgOf, type Words } from './drawing.ts'

const say = (en: string, zh: string): Words => ({ en, zh })
/** The same in both languages. */
const code = (text: string): Words => say(text, text)

const flow: Picture = {
  title: say(
    'The model proposes, the gate decides, a writ executes, the result is inspected, and the journal records everything',
    '模型提议，闸门裁决，令状执行，结果经过检查，日志记录一切',
  ),
  width: 760,
  height: 330,
  draw({ box, arrow, text }) {
    box([20, 90], [120, 64], [say('Model', '模型'), say('proposes', '提议')], 'accent')
    box([220, 90], [120, 64], [say('Gate', '闸门'), say('decides', '裁决')], 'accent')
    box([420, 90], [120, 64], [say('Writ', '令状'), say('valid once', '一次有效')], 'allow')
    box([620, 90], [120, 64], [say('Tool', '工具'), say('executes', '执行')])
    arrow([
      [140, 122],
      [218, 122],
    ])
    text([179, 112], say('call', '调用'), 'small')
    arrow([
      [340, 122],
      [418, 122],
    ])
    text([379, 112], say('allow', '允许'), 'small')
    arrow([
      [540, 122],
      [618, 122],
    ])
    box([220, 14], [120, 44], [say('Person', '人')], 'ask')
    arrow([
      [262, 90],
      [262, 60],
    ])
    arrow([
      [298, 58],
      [298, 88],
    ])
    text([250, 78], say('ask', '询问'), 'small', 'end')
    text([310, 78], say('yes, no, change', '同意、拒绝、修改'), 'small', 'start')
    box([420, 186], [120, 44], [say('Inspection', '检查')])
    arrow([
      [680, 154],
      [680, 208],
      [542, 208],
    ])
    text([612, 200], say('result', '结果'), 'small')
    arrow([
      [420, 208],
      [100, 208],
      [100, 156],
    ])
    text([340, 226], say('what the model reads', '模型读到的内容'), 'small')
    arrow([
      [250, 154],
      [250, 180],
      [60, 180],
      [60, 156],
    ])
    text([108, 174], say('denial, with all reasons', '拒绝，附全部原因'), 'small', 'start')
    box([20, 270], [720, 44], [say('Journal: every step is written before it happens', '日志：每一步都先写入，再发生')])
    for (const x of [80, 280, 480, 680])
      arrow(
        [
          [x, 240],
          [x, 268],
        ],
        true,
      )
  },
}

const STAGES: readonly [Words, Words][] = [
  [say('live', '存活'), say('is the run active?', '运行还在进行吗？')],
  [say('known', '已知'), say('is it a tool of this run?', '是本次运行的工具吗？')],
  [say('authority', '权限'), say('risk without approval?', '无需审批的风险？')],
  [say('quota', '配额'), say('any calls left?', '还有次数吗？')],
  [say('order', '次序'), say('earlier calls made?', '前置调用做了吗？')],
  [say('scope', '范围'), say('does the task ask for it?', '任务要求这样做吗？')],
  [say('form', '格式'), say('do the arguments fit?', '参数合格吗？')],
  [say('content', '内容'), say('paths, hosts, commands?', '路径、主机、命令？')],
]

const gate: Picture = {
  title: say(
    'The ten stages of the gate: two that end the check at once, six that always all run, rules, the answer of a person, and the writ',
    '闸门的十道关卡：前两道立即结束检查，其后六道全部运行，然后是规则、人的答复和令状',
  ),
  width: 760,
  height: 372,
  draw({ box, arrow, text }) {
    const at = (i: number): [number, number] =>
      i < 2 ? [20 + i * 180, 40] : [20 + ((i - 2) % 3) * 180, i < 5 ? 140 : 212]
    for (const [i, [name, question]] of STAGES.entries()) {
      const numbered = say(`${i + 1} ${name.en}`, `${i + 1} ${name.zh}`)
      box(at(i), [168, 58], [numbered, question], i < 2 ? 'deny' : 'box')
    }
    text([20, 26], say('End the check at once', '立即结束检查'), 'small', 'start')
    text(
      [20, 126],
      say('Always all run: a denial lists every reason', '总是全部运行：拒绝时列出每条原因'),
      'small',
      'start',
    )
    box([590, 140], [150, 58], [say('Rules', '规则'), say('allow, ask, deny', '允许、询问、拒绝')], 'accent')
    arrow([
      [548, 169],
      [588, 169],
    ])
    arrow([
      [665, 198],
      [665, 228],
    ])
    box([590, 230], [150, 58], [say('9 human', '9 人'), say('what did they answer?', '答复是什么？')], 'ask')
    arrow([
      [665, 288],
      [665, 312],
    ])
    box([590, 314], [150, 48], [say('10 mint: a writ', '10 签发：令状')], 'allow')
    text([20, 304], say('No stage can allow a call by itself.', '任何一道关卡都不能单独放行。'), 'small', 'start')
    text(
      [20, 326],
      say(
        'The earliest objection names a denial, the strongest effect counts.',
        '拒绝以最早的异议命名，以最强的后果为准。',
      ),
      'small',
      'start',
    )
    text(
      [20, 348],
      say(
        'All stages are pure: no clock, no disk, no network, no model.',
        '所有关卡都是纯函数：不用时钟、磁盘、网络和模型。',
      ),
      'small',
      'start',
    )
  },
}

const verdicts: Picture = {
  title: say(
    'Deny is stricter than ask, and ask is stricter than allow; when several judge one call, the strictest counts',
    '拒绝比询问严格，询问比允许严格；多方判断同一次调用时，以最严格的为准',
  ),
  width: 760,
  height: 316,
  draw({ box, arrow, text }) {
    const levels: [Words, Look][] = [
      [say('deny', '拒绝'), 'deny'],
      [say('ask', '询问'), 'ask'],
      [say('allow', '允许'), 'allow'],
    ]
    for (const [i, [name, look]] of levels.entries()) box([30, 40 + i * 90], [130, 48], [name], look)
    arrow([
      [95, 220],
      [95, 180],
    ])
    arrow([
      [95, 130],
      [95, 90],
    ])
    text([110, 204], say('stricter', '更严格'), 'small', 'start')
    text([110, 114], say('stricter', '更严格'), 'small', 'start')
    text(
      [250, 32],
      say('One line, several commands: the strictest verdict counts', '一行多条命令：以最严格的裁决为准'),
      'small',
      'start',
    )
    const rows: [string, Words, Look][][] = [
      [
        ['git status', say('allow', '允许'), 'allow'],
        ['git push', say('ask', '询问'), 'ask'],
        ['', say('ask', '询问'), 'ask'],
      ],
      [
        ['npm test', say('allow', '允许'), 'allow'],
        ['cat .env', say('deny', '拒绝'), 'deny'],
        ['', say('deny', '拒绝'), 'deny'],
      ],
      [
        ['ls', say('allow', '允许'), 'allow'],
        ['wc -l a.txt', say('allow', '允许'), 'allow'],
        ['', say('allow', '允许'), 'allow'],
      ],
    ]
    for (const [i, row] of rows.entries()) {
      const y = 50 + i * 78
      for (const [j, [command, verdict, look]] of row.entries()) {
        const x = 250 + j * 175
        box([x, y], [j === 2 ? 120 : 140, 56], command === '' ? [verdict] : [code(command), verdict], look)
      }
      text([407, y + 33], code('&&'), 'mono')
      arrow([
        [567, y + 28],
        [597, y + 28],
      ])
    }
    text(
      [250, 304],
      say('A check that cannot be made is never an allow.', '无法进行的检查绝不等于允许。'),
      'small',
      'start',
    )
  },
}

const journal: Picture = {
  title: say(
    'Events form a chain of hashes. After a crash, another process reads them, and a call without a result is reported as unknown and not repeated',
    '事件由哈希连成链。崩溃之后，另一个进程读取这些事件；没有结果的调用被报告为未知，不会重复执行',
  ),
  width: 760,
  height: 300,
  draw({ box, arrow, text }) {
    const events = ['run.started', 'model.replied', 'gate.decided', 'tool.call']
    for (const [i, name] of events.entries()) {
      const x = 20 + i * 150
      const hash = i === 0 ? say('has its hash', '有自己的哈希') : say(`covers hash ${i}`, `包含哈希 ${i}`)
      box([x, 50], [130, 60], [code(`${i + 1}  ${name}`), hash], i === 3 ? 'accent' : 'box')
      if (i > 0)
        arrow([
          [x - 20, 80],
          [x - 2, 80],
        ])
    }
    text([20, 34], say('First process: writes, then acts', '第一个进程：先写入，再行动'), 'small', 'start')
    box([640, 50], [100, 60], [code('kill -9')], 'deny')
    arrow(
      [
        [600, 80],
        [638, 80],
      ],
      true,
    )
    text(
      [20, 168],
      say(
        'Second process: reads the same events, so it has the same state',
        '第二个进程：读取同样的事件，因此状态相同',
      ),
      'small',
      'start',
    )
    arrow(
      [
        [85, 110],
        [85, 146],
      ],
      true,
    )
    arrow(
      [
        [535, 110],
        [535, 184],
      ],
      true,
    )
    const next: [Words, Words, Look][] = [
      [code('fold'), say('state of the run', '运行的状态'), 'box'],
      [say('5  tool.result', '5  tool.result'), say('outcome unknown', '结果未知'), 'ask'],
      [say('Model', '模型'), say('checks, or asks', '检查或询问'), 'accent'],
    ]
    for (const [i, [name, more, look]] of next.entries()) {
      const x = [20, 460, 630][i] ?? 0
      box([x, 186], [[150, 150, 110][i] ?? 0, 60], [name, more], look)
    }
    arrow([
      [170, 216],
      [458, 216],
    ])
    text([314, 206], say('call 4 started and has no result', '事件 4 的调用已开始，没有结果'), 'small')
    arrow([
      [610, 216],
      [628, 216],
    ])
    text(
      [20, 284],
      say('It is not run again, unless its tool declares that safe.', '不会再次执行，除非工具声明重复执行是安全的。'),
      'small',
      'start',
    )
  },
}

const provenance: Picture = {
  title: say(
    'Who named the target of a call decides: the user, a text that was read, or no one',
    '由谁指出调用的目标来决定：用户、读到的文字，或者没有人',
  ),
  width: 760,
  height: 310,
  draw({ box, arrow, text }) {
    box(
      [20, 40],
      [190, 58],
      [say('The user’s message', '用户的消息'), say('trusted: gives orders', '受信任：可以下达指令')],
      'allow',
    )
    box(
      [20, 126],
      [190, 58],
      [say('A page, file or mail', '网页、文件或邮件'), say('untrusted: only read', '不受信任：只供阅读')],
      'deny',
    )
    box(
      [20, 212],
      [190, 58],
      [say('A summary or memory', '摘要或记忆'), say('retold: can make Writ ask', '转述：可使 Writ 询问')],
      'ask',
    )
    box(
      [290, 110],
      [170, 90],
      [
        say('Who named', '谁指出了'),
        say('the recipient, the address,', '收件人、地址、'),
        say('the path, the deed?', '路径、要做的事？'),
      ],
      'accent',
    )
    for (const y of [69, 155, 241])
      arrow([
        [210, y],
        [250, y],
        [250, 155],
        [288, 155],
      ])
    const ends: [Words, Words, Look][] = [
      [say('the user', '用户'), say('judged as usual', '照常裁决'), 'allow'],
      [say('only such a text', '只有这类文字'), say('a person is asked, or denied', '询问人，或拒绝'), 'ask'],
      [say('no one can be asked', '没有人可以询问'), say('denied', '拒绝'), 'deny'],
    ]
    for (const [i, [name, more, look]] of ends.entries()) {
      const y = 40 + i * 86
      box([540, y], [200, 58], [name, more], look)
      arrow([
        [460, 155],
        [500, 155],
        [500, y + 29],
        [538, y + 29],
      ])
    }
    text(
      [20, 300],
      say(
        'It applies to calls that change or send something; reading needs no such reason.',
        '适用于会改动或发送内容的调用；读取不需要这样的理由。',
      ),
      'small',
      'start',
    )
  },
}

const PICTURES: Readonly<Record<string, Picture>> = { flow, gate, verdicts, journal, provenance }

/** By the names of their files. */
export function pictureFiles(): Record<string, string> {
  const one = (lang: Lang, ending: string) =>
    Object.entries(PICTURES).map(([name, picture]) => [`${name}${ending}`, svgOf(picture, lang)])
  return Object.fromEntries([...one('en', '.svg'), ...one('zh', '.zh-CN.svg')])
}
