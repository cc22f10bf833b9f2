/** Service worker: shows a page while the server is down. Caches nothing and handles only navigation requests. */
const TEXTS = {
  en: {
    title: 'The Writ server is not responding',
    fact: 'This page reloads automatically when the server is back.',
    hint: 'Start it with <code>writ serve</code>. Nothing is lost: interrupted runs are resumed when it starts.',
  },
  zh: {
    title: 'Writ 服务器没有响应',
    fact: '服务器恢复后，此页面会自动刷新。',
    hint: '可用 <code>writ serve</code> 启动服务器。不会丢失内容：已中断的运行会在启动时恢复。',
  },
}

const STYLE = `:root { color-scheme: light dark }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 32rem; margin: 18vh auto 0; padding: 0 1.5rem }
h1 { font-size: 1.3rem }
code { font-family: ui-monospace, monospace }`

function pageWhileDown() {
  const lang = navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
  const { title, fact, hint } = TEXTS[lang]
  const body = `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="refresh" content="3"><title>Writ</title><style>${STYLE}</style></head><body><main><h1>${title}</h1><p role="status">${fact}</p><p>${hint}</p></main></body></html>`
  return new Response(body, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    },
  })
}

async function pageOf(request) {
  try {
    const response = await fetch(request)
    // The server is shutting down and would answer with a JSON error.
    return response.status === 503 ? pageWhileDown() : response
  } catch {
    return pageWhileDown()
  }
}

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(pageOf(event.request))
})
