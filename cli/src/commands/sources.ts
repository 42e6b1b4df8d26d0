import { sourceCollection } from '../collections.ts'
import { resourceCommands } from '../resource.ts'

export const sources = resourceCommands({
  group: 'sources',
  noun: 'source',
  collections: [sourceCollection],
  columns: [
    { title: 'ID', value: ({ id }) => id },
    { title: 'NAME', value: ({ name }) => name },
    { title: 'TYPE', value: ({ type }) => type },
    { title: 'STATUS', value: ({ status }) => status },
    { title: 'LAST SYNC', value: ({ last_sync }) => last_sync },
    { title: 'DESCRIPTION', value: ({ description, status_message }) => status_message ?? description },
  ],
  create: {
    details: 'A source of files is filled by "parley sync <source> <folder>".',
    options: {
      name: { type: 'string', description: 'The name' },
      description: { type: 'string', description: 'What is in it' },
      web: { type: 'string', multiple: true, value: 'url', description: 'Pages of this site; may be repeated' },
      directory: { type: 'string', value: 'folder', description: 'Files of a folder of the server (DIRECTORY_ROOTS)' },
    },
    examples: [
      'parley sources create --name Handbook',
      'parley sources create --name Site --web https://docs.example.com --set configuration.max_pages=500',
      'parley sources create --file source.yaml',
    ],
    async fields(_session, { name, description, web, directory }) {
      const configuration = web ? { urls: web } : directory ? { path: directory } : undefined
      const type = web ? 'web' : directory ? 'directory' : name === undefined ? undefined : 'file'
      return { name, description, type, configuration }
    },
  },
})
