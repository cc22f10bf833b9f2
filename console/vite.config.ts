import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  build: {
    // Next to the compiled runtime, so that it is in the package and `writ serve` finds it.
    outDir: '../runtime/dist/console',
    emptyOutDir: true,
    // The content security policy of the server allows neither data: URLs nor inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(['/api', '/healthz', '/openapi.json'].map((path) => [path, 'http://127.0.0.1:4770'])),
  },
})
