import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/shell.css'
import './styles/content.css'
import './styles/chat.css'
import './styles/knowledge.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queries } from './api/queries.ts'
import { router } from './app/router.tsx'
import { takeTokenFromAddress } from './app/session.ts'
import { Toasts } from './ui/toasts.tsx'

takeTokenFromAddress()
// A link that is opened where the console already is changes the fragment alone.
addEventListener('hashchange', () => {
  if (takeTokenFromAddress()) queries.clear()
})

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Toasts>
          <RouterProvider router={router} />
        </Toasts>
      </QueryClientProvider>
    </StrictMode>,
  )
}
