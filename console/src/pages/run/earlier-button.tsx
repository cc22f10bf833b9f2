import { useTexts } from '../../i18n/texts.tsx'
import { Button } from '../../parts/button.tsx'
import { ErrorNote } from '../../parts/states.tsx'
import type { Earlier } from './use-journal.ts'

/** Above a list that begins with its newest part. */
export function EarlierButton({ earlier, busy, error, load }: Earlier) {
  const { common } = useTexts()
  return (
    <>
      {error !== null && <ErrorNote error={error} />}
      {earlier && (
        <Button small busy={busy} onClick={load}>
          {common.more}
        </Button>
      )}
    </>
  )
}
