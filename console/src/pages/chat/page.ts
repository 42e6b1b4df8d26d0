import { MessageCircle } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Chat',
  group: 'Overview',
  order: 5,
  icon: MessageCircle,
  may: 'converse',
  path: '/chat',
  routes: [{ path: '/chat', load: () => import('./chat.tsx') }],
  commands: [{ title: 'New chat', to: '/chat', may: 'converse' }],
}
