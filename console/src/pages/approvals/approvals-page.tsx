import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../i18n/texts.tsx'
import { approvalsQuery } from '../../lib/queries.ts'
import { Approval } from '../../parts/approval.tsx'
import { Page } from '../../parts/page.tsx'
import { Await, Empty } from '../../parts/states.tsx'
import { Ago, Shown } from '../../parts/text.tsx'

export function ApprovalsPage() {
  const { approvals: texts } = useTexts()
  const query = useQuery(approvalsQuery)
  return (
    <Page title={texts.title} lede={texts.lede}>
      <Await query={query}>
        {({ open }) =>
          open.length === 0 ? (
            <Empty title={texts.none}>
              <p>{texts.noneHint}</p>
            </Empty>
          ) : (
            <ul className="stack wide">
              {open.map((item) => (
                <li key={`${item.runId} ${item.question.callId}`} className="stack tight">
                  <p className="row small">
                    <span className="clip grow">
                      <Shown text={item.task} />
                    </span>
                    <Link to="/chat/$sessionId" params={{ sessionId: item.sessionId }}>
                      {texts.session}
                    </Link>
                    <Link to="/runs/$runId" params={{ runId: item.runId }}>
                      {texts.run}
                    </Link>
                    <span className="muted">
                      <Ago at={item.askedAt} />
                    </span>
                  </p>
                  <Approval runId={item.runId} question={item.question} />
                </li>
              ))}
            </ul>
          )
        }
      </Await>
    </Page>
  )
}
