import { Link } from '@tanstack/react-router'
import { useTexts } from '../i18n/texts.tsx'
import { Page } from '../parts/page.tsx'
import { Empty } from '../parts/states.tsx'

export function NotFound() {
  const { common, nav } = useTexts()
  return (
    <Page title={common.notFound}>
      <Empty title={common.notFoundFact}>
        <Link to="/">{nav.chat}</Link>
      </Empty>
    </Page>
  )
}
