import { Wrench } from 'lucide-react'
import type { Page } from '../../app/pages.ts'

export const page: Page = {
  title: 'Tools',
  group: 'Build',
  order: 30,
  icon: Wrench,
  may: 'read-configuration',
  path: '/tools',
  routes: [
    { path: '/tools', load: () => import('./tools.tsx') },
    { path: '/tools/rag/$id', load: () => import('./rag-tool.tsx') },
    { path: '/tools/retrieval/$id', load: () => import('./retrieval-tool.tsx') },
    { path: '/tools/api/$id', load: () => import('./api-tool.tsx') },
  ],
  commands: [
    { title: 'New answer tool', to: '/tools?new=rag', may: 'write-configuration' },
    { title: 'New search tool', to: '/tools?new=retrieval', may: 'write-configuration' },
    { title: 'New API tool', to: '/tools?new=api', may: 'write-configuration' },
    { title: 'Connect an MCP server', to: '/tools?new=mcp', may: 'write-configuration' },
    { title: 'Import an OpenAPI document', to: '/tools?new=import', may: 'write-configuration' },
  ],
}
