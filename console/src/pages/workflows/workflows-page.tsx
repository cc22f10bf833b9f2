import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { workflowsQuery } from '../../lib/queries.ts'
import { newDraft } from '../../lib/workflow.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { Page } from '../../parts/page.tsx'
import { AwaitList, ErrorNote } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { Ago } from '../../parts/text.tsx'

export function WorkflowsPage() {
  const { workflows: texts } = useTexts()
  const [making, setMaking] = useState(false)
  const query = useQuery(workflowsQuery)
  return (
    <Page
      title={texts.title}
      lede={texts.lede}
      actions={
        <Button icon="plus" look="primary" onClick={() => setMaking(true)}>
          {texts.add}
        </Button>
      }
    >
      {making && <NewWorkflow onClose={() => setMaking(false)} />}
      <AwaitList query={query} list={({ workflows }) => workflows} none={texts.none} hint={texts.noneHint}>
        {(workflows) => (
          <Table label={texts.title} head={[texts.name, texts.description, texts.nodes, texts.changed]}>
            {workflows.map(({ name, description, nodes, updatedAt }) => (
              <tr key={name}>
                <td>
                  <Link to="/workflows/$name" params={{ name }}>
                    {name}
                  </Link>
                </td>
                <td className="muted">{description}</td>
                <td className="num">{nodes}</td>
                <td className="nowrap">
                  <Ago at={updatedAt} />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </AwaitList>
    </Page>
  )
}

function NewWorkflow({ onClose }: { onClose: () => void }) {
  const { workflows: texts, common } = useTexts()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const making = useMutation({
    mutationFn: async () => {
      await api.call('PUT /api/workflows/:name', { params: { name }, body: { document: newDraft(name) } })
      await client.invalidateQueries({ queryKey: ['workflows'] })
      await navigate({ to: '/workflows/$name', params: { name } })
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (name.trim() !== '') making.mutate()
  }
  return (
    <Dialog title={texts.add} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField label={texts.name} hint={texts.nameHint} value={name} onChange={setName} />
        {making.isError && <ErrorNote error={making.error} />}
        <div className="row end">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" type="submit" busy={making.isPending} disabled={name.trim() === ''}>
            {texts.add}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
