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
import './styles/prose.css'
import { LanguageProvider, loadTexts } from './i18n/texts.tsx'
import { isUnreachable } from './lib/connection.ts'
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
      // Retries only when the server could not be reached; an error response would be the same again.
      retry: (count, error) =>
        count < 2 && (isUnreachable(error) || (error instanceof ApiError && error.status >= 500)),
      refetchOnWindowFocus: false,
      staleTime: 2000,
    },
  },
})

const lang = keptLang()
// Other tabs first: a link with a token opens a new tab and must not replace the sign-in without asking.
const [texts] = await Promise.all([loadTexts(lang), joinTabs()])
takeTokenFromAddress(() => confirm(texts.signIn.replace))
const root = document.getElementById('root')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <LanguageProvider first={{ lang, texts }}>
          <Announcer>
            <RouterProvider router={router} />
          </Announcer>
        </LanguageProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}

// Without it, a reload while the server is down shows the browser's error page. Unavailable outside HTTPS and loopback.
void navigator.serviceWorker?.register('/sw.js').catch(() => {})
