import { Plus, Trash2 } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { CheckField, NumberField, TagsField, TextArea, TextField } from '../../ui/field.tsx'
import type { Configuration, SourceType } from './source-types.ts'

interface FieldsProps {
  type: SourceType
  value: Configuration
  onChange: (value: Configuration) => void
  errorAt: (path: string) => string | undefined
}

const mebibyte = 1024 * 1024

/** The configuration of each source type. */
export function ConfigurationFields({ type, value, onChange, errorAt }: FieldsProps) {
  const change = (next: Partial<Configuration>) => onChange(withoutEmpty({ ...value, ...next }))
  const error = (name: string) => errorAt(`configuration.${name}`)
  if (type === 'text') return <Texts value={value} change={change} error={error} />
  if (type === 'web')
    return (
      <>
        <TextArea
          label="URLs"
          hint="One per line. The crawler starts here, follows links on the same sites and respects robots.txt."
          rows={3}
          placeholder="https://docs.example.com/"
          value={(value.urls ?? []).join('\n')}
          error={error('urls')}
          onChange={(text) => change({ urls: text === '' ? undefined : text.split('\n') } as Configuration)}
        />
        <TextField
          label="Sitemap"
          hint="Optional. Used instead of links or in addition to them."
          placeholder="https://docs.example.com/sitemap.xml"
          value={value.sitemap ?? ''}
          error={error('sitemap')}
          onChange={(sitemap) => change({ sitemap: sitemap || undefined } as Configuration)}
        />
        <div className="columns">
          <NumberField
            label="Max pages"
            min={1}
            max={10_000}
            placeholder="100"
            value={value.max_pages ?? null}
            error={error('max_pages')}
            onChange={(max) => change({ max_pages: max ?? undefined } as Configuration)}
          />
          <NumberField
            label="Max depth"
            min={0}
            max={20}
            placeholder="3"
            value={value.max_depth ?? null}
            error={error('max_depth')}
            onChange={(max) => change({ max_depth: max ?? undefined } as Configuration)}
          />
        </div>
      </>
    )
  return (
    <>
      {type === 'directory' && (
        <TextField
          label="Folder"
          hint="Path on the server, inside one of the DIRECTORY_ROOTS."
          placeholder="handbook"
          value={value.path ?? ''}
          error={error('path') ?? errorAt('type')}
          onChange={(path) => change({ path: path || undefined } as Configuration)}
        />
      )}
      <div className="columns">
        <TagsField
          label="File types"
          hint="Empty: all supported types."
          placeholder="pdf"
          value={value.file_types ?? []}
          error={error('file_types')}
          onChange={(types) => change({ file_types: types.length > 0 ? types : undefined } as Configuration)}
        />
        <NumberField
          label="Max file size (MiB)"
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
      <TagsField
        label="Languages of scans and images"
        hint="Tesseract codes, such as deu. Empty: those that are installed."
        placeholder="eng"
        value={value.ocr_languages ?? []}
        error={error('ocr_languages')}
        onChange={(languages) =>
          change({ ocr_languages: languages.length > 0 ? languages : undefined } as Configuration)
        }
      />
      <CheckField
        label="Read hidden sheets of workbooks"
        checked={value.include_hidden ?? false}
        onChange={(isIncluded) => change({ include_hidden: isIncluded || undefined } as Configuration)}
      />
    </>
  )
}

/** Drops empty fields, so that the server's defaults apply. */
const withoutEmpty = (value: Configuration): Configuration =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))

/** Trims URLs and drops empty lines. */
export const withTrimmedUrls = (value: Configuration): Configuration =>
  value.urls ? { ...value, urls: value.urls.map((url) => url.trim()).filter((url) => url !== '') } : value

interface TextsProps {
  value: Configuration
  change: (next: Partial<Configuration>) => void
  error: (name: string) => string | undefined
}

function Texts({ value, change, error }: TextsProps) {
  const texts = value.documents ?? []
  const set = (index: number, next: Partial<(typeof texts)[number]>) =>
    change({ documents: texts.map((text, each) => (each === index ? { ...text, ...next } : text)) })
  return (
    <div className="stack">
      {texts.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: texts have no id
        <fieldset key={index} className="card inset" aria-label={`Text ${index + 1}`}>
          <div className="row nowrap">
            <div className="grow">
              <TextField
                label="Title"
                value={text.title}
                error={error(`documents[${index}].title`)}
                onChange={(title) => set(index, { title })}
              />
            </div>
            <IconButton
              icon={Trash2}
              label={`Remove ${text.title || `text ${index + 1}`}`}
              onClick={() => change({ documents: texts.filter((_, each) => each !== index) })}
            />
          </div>
          <TextArea
            label="Text"
            hint="Plain text or Markdown."
            rows={6}
            value={text.content}
            error={error(`documents[${index}].content`)}
            onChange={(content) => set(index, { content })}
          />
        </fieldset>
      ))}
      <div>
        <Button icon={Plus} onClick={() => change({ documents: [...texts, { title: '', content: '' }] })}>
          Add text
        </Button>
      </div>
    </div>
  )
}
