import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/overlays.css'
import './styles/shell.css'
import './styles/layout.css'
import './styles/states.css'
import './styles/tables.css'
import './styles/charts.css'
import './styles/code.css'
import './styles/versions.css'
import './styles/evaluations.css'
import './styles/chat.css'
import './styles/chat-page.css'
import './styles/trace.css'
import './styles/knowledge.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queries } from './api/queries.ts'
import { followSession } from './app/auth.ts'
import { router } from './app/router.tsx'

followSession()

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
