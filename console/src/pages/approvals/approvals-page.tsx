import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { approvalsQuery, rulesQuery } from '../../lib/queries.ts'
import { Approval } from '../../parts/approval.tsx'
import { OutsideAgent } from '../../parts/outside-agent.tsx'
import { Page } from '../../parts/page.tsx'
import { RuleList } from '../../parts/rule-list.tsx'
import { Await, AwaitList, ErrorNote } from '../../parts/states.tsx'
import { Ago, Shown } from '../../parts/text.tsx'

export function ApprovalsPage() {
  const { approvals: texts } = useTexts()
  const query = useQuery(approvalsQuery)
  return (
    <Page title={texts.title} lede={texts.lede}>
      <AwaitList query={query} list={({ open }) => open} none={texts.none} hint={texts.noneHint}>
        {(open) => (
          <ul className="stack wide">
            {open.map((item) => (
              <li key={`${item.runId} ${item.question.callId}`} className="stack tight">
                <p className="row small">
                  <span className="clip grow">
                    <Shown text={item.task} />
                  </span>
                  {item.outside === undefined ? (
                    <Link to="/chat/$sessionId" params={{ sessionId: item.sessionId }}>
                      {texts.session}
                    </Link>
                  ) : (
                    <span>
                      <OutsideAgent outside={item.outside} />
                    </span>
                  )}
                  <Link to="/runs/$runId" params={{ runId: item.runId }}>
                    {texts.run}
                  </Link>
                  <span className="muted">
                    <Ago at={item.askedAt} />
                  </span>
                </p>
                <Approval runId={item.runId} question={item.question} asked={item.asked} />
              </li>
            ))}
          </ul>
        )}
      </AwaitList>
      <StoredRules />
    </Page>
  )
}

function StoredRules() {
  const { approvals: texts } = useTexts()
  const client = useQueryClient()
  const revoking = useMutation({
    mutationFn: (id: string) => api.call('DELETE /api/rules/:id', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: rulesQuery.queryKey }),
  })
  return (
    <section className="stack" aria-label={texts.rules}>
      <h2>{texts.rules}</h2>
      <p className="muted">{texts.rulesLede}</p>
      <Await query={useQuery(rulesQuery)}>
        {({ rules }) =>
          rules.length === 0 ? (
            <p className="muted">{texts.noRules}</p>
          ) : (
            <RuleList rules={rules} onRevoke={(id) => revoking.mutate(id)} />
          )
        }
      </Await>
      {revoking.isError && <ErrorNote error={revoking.error} />}
    </section>
  )
}
