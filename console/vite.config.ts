import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  build: {
    // Beside the compiled runtime, so that the package carries it and `writ serve` finds it there.
    outDir: '../runtime/dist/console',
    emptyOutDir: true,
    // The server's content security policy knows neither data: URLs nor inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(['/api', '/healthz', '/openapi.json'].map((path) => [path, 'http://127.0.0.1:4770'])),
  },
})
