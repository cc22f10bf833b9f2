/** The answers beyond yes, no and always: remember a rule, edit the call, say why not. */
import { type ReactNode, useState } from 'react'
import { offerWords } from '../../../runtime/src/i18n/offer-words.ts'
import { editableOf, editedArgs } from '../../../runtime/src/protocol/editable.ts'
import { oneLine } from '../../../runtime/src/protocol/visible-text.ts'
import { useLanguage, useTexts } from '../i18n/texts.tsx'
import { useInfo } from '../lib/queries.ts'
import type { Question, Reply, RuleScope } from '../lib/wire.ts'
import { Button } from './button.tsx'
import { Field, SelectField } from './field.tsx'

interface Props {
  question: Question
  done: boolean
  onReply: (reply: Reply) => void
}

type Way = 'remember' | 'edit' | 'reason'

const WAYS: readonly Way[] = ['remember', 'edit', 'reason']
const REASON_MAX = 1000

export function ApprovalMore({ question, done, onReply }: Props) {
  const { approval } = useTexts()
  const [way, choose] = useState<Way>()
  const isPossible: Record<Way, boolean> = {
    remember: question.offers !== undefined,
    edit: editableOf(question) !== undefined,
    reason: true,
  }
  const form: Record<Way, () => ReactNode> = {
    remember: () => <Remember question={question} done={done} onReply={onReply} />,
    edit: () => <Edit question={question} done={done} onReply={onReply} />,
    reason: () => <NoWithReason done={done} onReply={onReply} />,
  }
  return (
    <>
      <div className="row">
        {WAYS.filter((each) => isPossible[each]).map((each) => (
          <Button
            key={each}
            look="plain"
            small
            aria-expanded={way === each}
            disabled={done}
            onClick={() => choose(way === each ? undefined : each)}
          >
            {approval.ways[each]}
          </Button>
        ))}
      </div>
      {way !== undefined && form[way]()}
    </>
  )
}

function Remember({ question, done, onReply }: Props) {
  const { approval } = useTexts()
  const { lang } = useLanguage()
  const isAdmin = useInfo()?.scopes.includes('admin') === true
  const [offer, setOffer] = useState('0')
  const [scope, setScope] = useState<RuleScope>('session')
  const offers = (question.offers ?? []).map((each, at) => ({
    value: String(at),
    label: oneLine(offerWords(each, lang)),
  }))
  const scopes: RuleScope[] = isAdmin ? ['session', 'workspace', 'always'] : ['session']
  return (
    <div className="stack tight">
      <SelectField label={approval.rule} value={offer} options={offers} onChange={setOffer} />
      <SelectField
        label={approval.where}
        value={scope}
        options={scopes.map((value) => ({ value, label: approval.scopes[value] }))}
        onChange={setScope}
        {...(isAdmin ? {} : { hint: approval.sessionOnly })}
      />
      <Button
        look="primary"
        disabled={done}
        onClick={() => onReply({ answer: 'y', remember: { offer: Number(offer), scope } })}
      >
        {approval.rememberAndAllow}
      </Button>
    </div>
  )
}

function Edit({ question, done, onReply }: Props) {
  const { approval } = useTexts()
  const editable = editableOf(question) ?? { text: '' }
  const [text, setText] = useState(editable.text)
  const args = editedArgs(question, { ...editable, text })
  return (
    <div className="stack tight">
      <Field
        label={editable.field === undefined ? approval.editArgs : approval.editText}
        hint={approval.editHint}
        wrong={args === undefined ? approval.notJson : undefined}
      >
        {(control) => (
          <textarea
            className="input mono"
            rows={Math.min(20, Math.max(3, text.split('\n').length))}
            spellCheck={false}
            {...control}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <Button
        look="primary"
        disabled={done || args === undefined || text === editable.text}
        onClick={() => args !== undefined && onReply({ answer: 'y', edit: args })}
      >
        {approval.sendEdit}
      </Button>
    </div>
  )
}

function NoWithReason({ done, onReply }: Omit<Props, 'question'>) {
  const { approval } = useTexts()
  const [reason, setReason] = useState('')
  return (
    <div className="stack tight">
      <Field label={approval.reason} hint={approval.reasonHint}>
        {(control) => (
          <textarea
            className="input"
            rows={2}
            maxLength={REASON_MAX}
            {...control}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      <Button
        look="danger"
        disabled={done || reason.trim() === ''}
        onClick={() => onReply({ answer: 'n', reason: reason.trim() })}
      >
        {approval.sendReason}
      </Button>
    </div>
  )
}
