import { reviewWords } from '../../../../runtime/src/i18n/review-words.ts'
import { useLanguage, useTexts } from '../../i18n/texts.tsx'
import type { ToolCard } from '../../lib/chat.ts'
import { formatMs, pretty, summarise } from '../../lib/format.ts'
import { Named, VerdictBadge, Worded } from '../../parts/badge.tsx'
import { Icon } from '../../parts/icon.tsx'
import { findingsIn, Highlighted, Preview, Scroll, Shown } from '../../parts/text.tsx'

/** One call: arguments, gate decision with reasons, result. */
export function ToolCardView({ card }: { card: ToolCard }) {
  const { card: texts } = useTexts()
  const { lang } = useLanguage()
  const { verdict, observation, state } = card
  const denied = state === 'denied'
  return (
    <details className={`tool-card ${state}`}>
      <summary>
        <Icon name="chevron" className="turner" />
        <span className="mono tool-name">
          <Shown text={card.tool} />
        </span>
        <span className="clip muted grow mono small">{summarise(card.args)}</span>
        {card.flagged !== undefined && (
          <span className="badge ask" title={texts.flagged}>
            <Icon name="warn" />
            <Worded code={card.flagged.verdict} />
          </span>
        )}
        {verdict !== undefined && <VerdictBadge decision={verdict.decision} />}
        <span className="small muted num tool-state">{stateText(card, texts)}</span>
      </summary>
      {denied && verdict !== undefined && (
        <p className="small tool-why">
          <Shown text={verdict.message ?? ''} />{' '}
          {verdict.hint !== undefined && <span className="muted">{verdict.hint}</span>}
        </p>
      )}
      <div className="stack tool-body">
        {verdict !== undefined && <VerdictFacts verdict={verdict} answer={card.answer} />}
        <Preview text={pretty(card.args)} label={texts.args} />
        {card.review !== undefined && <p className="small muted">{reviewWords(card.review, lang)}</p>}
        {card.flagged !== undefined && (
          <p className="small">
            {texts.flagged} {card.flagged.findings.map(({ rule, at }) => `${rule} @${at}`).join(', ')}
          </p>
        )}
        {observation !== undefined && (
          <Scroll label={texts.result}>
            {observation.code !== undefined && `${observation.code}: `}
            <Highlighted text={observation.text} findings={findingsIn(card.flagged)} />
            {observation.partial !== undefined && <Shown text={`\n${observation.partial}`} />}
          </Scroll>
        )}
      </div>
    </details>
  )
}

type CardTexts = ReturnType<typeof useTexts>['card']

function stateText({ state, observation, answer }: ToolCard, texts: CardTexts): string {
  if (state === 'ok' || state === 'failed') return `${texts[state]} · ${formatMs(observation?.elapsedMs ?? 0)}`
  if (state === 'denied' && answer !== undefined) return texts.rejected
  return texts[state]
}

function VerdictFacts({ verdict, answer }: { verdict: NonNullable<ToolCard['verdict']>; answer: ToolCard['answer'] }) {
  const { card: texts } = useTexts()
  const { decision, all, stage, effect, message, hint, facts, code } = verdict
  return (
    <div className="stack tight">
      <dl className="facts small">
        <div>
          <dt>{texts.risk}</dt>
          <dd>
            <Worded code={facts.risk} />
          </dd>
        </div>
        <div>
          <dt>{texts.family}</dt>
          <dd>
            <Worded code={facts.family} />
          </dd>
        </div>
        {stage !== undefined && (
          <div>
            <dt>{texts.stage}</dt>
            <dd>
              <Worded code={stage} />
            </dd>
          </div>
        )}
        {effect !== undefined && decision === 'deny' && (
          <div>
            <dt>{texts.effect}</dt>
            <dd>
              <Worded code={effect} />
            </dd>
          </div>
        )}
        {answer !== undefined && (
          <div>
            <dt>{texts.answer}</dt>
            <dd>
              <Worded code={answer.answer} /> <span className="muted">{answer.by}</span>
            </dd>
          </div>
        )}
      </dl>
      {all.length > 0 && (
        <p className="row">
          {all.map((reason) => (
            <Named key={reason} code={reason} tone={decision} />
          ))}
          {code !== undefined && <Named code={code} tone={decision} />}
        </p>
      )}
      {decision !== 'allow' && message !== undefined && (
        <p className="small">
          <Shown text={message} />
        </p>
      )}
      {hint !== undefined && <p className="small muted">{hint}</p>}
    </div>
  )
}
