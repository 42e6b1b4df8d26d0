import { Plus, Trash2 } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { NumberField, TagsField, TextArea, TextField } from '../../ui/field.tsx'
import type { Configuration, Kind } from './kinds.ts'

interface FieldsProps {
  type: Kind
  value: Configuration
  onChange: (value: Configuration) => void
  wrong: (path: string) => string | undefined
}

const mebibyte = 1024 * 1024

/** What a source of each type has to be told. */
export function ConfigurationFields({ type, value, onChange, wrong }: FieldsProps) {
  const change = (next: Partial<Configuration>) => onChange(withoutGaps({ ...value, ...next }))
  const error = (name: string) => wrong(`configuration.${name}`)
  if (type === 'text') return <Texts value={value} change={change} error={error} />
  if (type === 'web')
    return (
      <>
        <TextArea
          label="Addresses"
          hint="One a line. Reading starts there and follows links on the same sites; robots.txt is honoured."
          rows={3}
          placeholder="https://docs.example.com/"
          value={(value.urls ?? []).join('\n')}
          error={error('urls')}
          onChange={(text) => change({ urls: text === '' ? undefined : text.split('\n') } as Configuration)}
        />
        <TextField
          label="Sitemap"
          hint="Instead of following links, or beside it."
          placeholder="https://docs.example.com/sitemap.xml"
          value={value.sitemap ?? ''}
          error={error('sitemap')}
          onChange={(sitemap) => change({ sitemap: sitemap || undefined } as Configuration)}
        />
        <div className="columns">
          <NumberField
            label="Most pages"
            min={1}
            max={10_000}
            placeholder="100"
            value={value.max_pages ?? null}
            error={error('max_pages')}
            onChange={(most) => change({ max_pages: most ?? undefined } as Configuration)}
          />
          <NumberField
            label="Links away from the first page"
            min={0}
            max={20}
            placeholder="3"
            value={value.max_depth ?? null}
            error={error('max_depth')}
            onChange={(most) => change({ max_depth: most ?? undefined } as Configuration)}
          />
        </div>
      </>
    )
  return (
    <>
      {type === 'directory' && (
        <TextField
          label="Folder"
          hint="On the server, below a folder that the operator allows with DIRECTORY_ROOTS."
          placeholder="handbook"
          value={value.path ?? ''}
          error={error('path') ?? wrong('type')}
          onChange={(path) => change({ path: path || undefined } as Configuration)}
        />
      )}
      <div className="columns">
        <TagsField
          label="File types"
          hint="Empty for all that can be read."
          placeholder="pdf"
          value={value.file_types ?? []}
          error={error('file_types')}
          onChange={(types) => change({ file_types: types.length > 0 ? types : undefined } as Configuration)}
        />
        <NumberField
          label="Largest file, in MiB"
          min={1}
          step="any"
          placeholder="50"
          value={value.max_file_size === undefined ? null : value.max_file_size / mebibyte}
          error={error('max_file_size')}
          onChange={(size) =>
            change({ max_file_size: size === null ? undefined : Math.round(size * mebibyte) } as Configuration)
          }
        />
      </div>
    </>
  )
}

/** What is left empty is left out, so that the service's own values hold. */
const withoutGaps = (value: Configuration): Configuration =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))

/** Addresses as they are sent: without what typing leaves behind. */
export const tidied = (value: Configuration): Configuration =>
  value.urls ? { ...value, urls: value.urls.map((url) => url.trim()).filter((url) => url !== '') } : value

interface TextsProps {
  value: Configuration
  change: (next: Partial<Configuration>) => void
  error: (name: string) => string | undefined
}

function Texts({ value, change, error }: TextsProps) {
  const texts = value.documents ?? []
  const set = (place: number, next: Partial<(typeof texts)[number]>) =>
    change({ documents: texts.map((text, each) => (each === place ? { ...text, ...next } : text)) })
  return (
    <div className="stack">
      {texts.map((text, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text has no name but its place
        <fieldset key={place} className="card inset" aria-label={`Text ${place + 1}`}>
          <div className="row nowrap">
            <div className="grow">
              <TextField
                label="Title"
                value={text.title}
                error={error(`documents[${place}].title`)}
                onChange={(title) => set(place, { title })}
              />
            </div>
            <IconButton
              icon={Trash2}
              label={`Remove ${text.title || `text ${place + 1}`}`}
              onClick={() => change({ documents: texts.filter((_, each) => each !== place) })}
            />
          </div>
          <TextArea
            label="Text"
            hint="Plain text or Markdown."
            rows={6}
            value={text.content}
            error={error(`documents[${place}].content`)}
            onChange={(content) => set(place, { content })}
          />
        </fieldset>
      ))}
      <div>
        <Button icon={Plus} onClick={() => change({ documents: [...texts, { title: '', content: '' }] })}>
          Add a text
        </Button>
      </div>
    </div>
  )
}
