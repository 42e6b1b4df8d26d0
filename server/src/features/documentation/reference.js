// The sign-in link carries the token in the fragment, which is not sent to the server. It becomes a session cookie, which
// scripts cannot read.
const signInToken = new URLSearchParams(location.hash.slice(1)).get('token')
if (signInToken) history.replaceState(null, '', location.pathname)

const theme = document.documentElement.dataset.theme
const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.classList.toggle('dark-mode', isDark)

const signIn = (token) =>
  fetch('/api/auth/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, remember: true }),
  })

// Given a URL instead of an object, Swagger UI reads the document as YAML, which takes seconds.
const show = async () =>
  window.SwaggerUIBundle({
    spec: await (await fetch('/api/openapi.json')).json(),
    dom_id: '#reference',
    deepLinking: !signInToken,
    docExpansion: 'none', // with more than 132 operations in open groups, Swagger UI shows the first groups only
    filter: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    requestInterceptor: (request) => {
      request.headers['X-Requested-With'] = 'parley'
      return request
    },
  })

if (signInToken) signIn(signInToken).finally(show)
else show()
