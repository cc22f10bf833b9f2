import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from '../../runtime/src/server/client.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/controls.css'
import './styles/fields.css'
import './styles/content.css'
import './styles/tables.css'
import { loadTexts, SpeechProvider } from './i18n/texts.tsx'
import { isUnreachable } from './lib/door.ts'
import { keptLang } from './lib/lang.ts'
import { joinTabs } from './lib/tabs.ts'
import { showTheme } from './lib/theme.ts'
import { takeTokenFromAddress } from './lib/token.ts'
import { Announcer } from './parts/announcer.tsx'
import { router } from './router.tsx'

showTheme()

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // A refusal stays one; only a server that could not be reached is asked again.
      retry: (count, error) =>
        count < 2 && (isUnreachable(error) || (error instanceof ApiError && error.status >= 500)),
      refetchOnWindowFocus: false,
      staleTime: 2000,
    },
  },
})

const lang = keptLang()
// The other tabs first: a link opens a tab of its own, and must not sign in there unasked.
const [texts] = await Promise.all([loadTexts(lang), joinTabs()])
takeTokenFromAddress(() => confirm(texts.signIn.replace))
const root = document.getElementById('root')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <SpeechProvider first={{ lang, texts }}>
          <Announcer>
            <RouterProvider router={router} />
          </Announcer>
        </SpeechProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}

// Without it a reload while the server is down shows the browser's own error page. Absent outside of HTTPS and loopback.
void navigator.serviceWorker?.register('/sw.js').catch(() => {})
