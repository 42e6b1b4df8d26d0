import { MessagesSquare } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Conversations',
  group: 'Observe',
  order: 60,
  icon: MessagesSquare,
  may: 'converse',
  path: '/conversations',
  routes: [
    { path: '/conversations', load: () => import('./conversations.tsx') },
    { path: '/conversations/$id', load: () => import('./conversation.tsx') },
  ],
}
