/** Classes of tools for containers, clusters and infrastructure. */
import { ANY, all, type CommandExamples, type CommandRow, type CommandTable, option } from './command-row.ts'
import { hasOption } from './options.ts'

/** `container ls` for `ls`, and so on. */
const nested = (group: string, verbs: string): string =>
  verbs
    .split(' ')
    .map((verb) => `${group} ${verb}`)
    .join(', ')

const DOCKER: CommandRow = {
  is: 'read',
  takes: {
    long: 'context host config log-level file project-name profile project-directory env-file parallel connection',
    letters: 'Hcfpl',
  },
  verbs: {
    read: [
      'ps, images, logs, inspect, version, info, top, stats, port, diff, history, search, events, help',
      nested('container', 'ls list ps inspect logs top stats port diff'),
      nested('image', 'ls list inspect history'),
      nested('volume', 'ls list inspect'),
      nested('network', 'ls list inspect'),
      nested('system', 'df info events'),
      nested('context', 'ls list show inspect'),
      nested('compose', 'ps ls logs config images top port events version convert stats volumes'),
      nested('buildx', 'ls inspect du version'),
      'manifest inspect, node ls, service ls, service ps, service logs, service inspect, stack ls, stack ps, stack services, plugin ls, machine list',
    ].join(', '),
    build: 'build, buildx build, image build, compose build, buildx bake, bake, builder build',
    change: [
      'pull, create, start, stop, restart, pause, unpause, tag, save, load, import, export, commit, cp, rename, wait, update',
      nested('container', 'create start stop restart pause unpause cp rename wait commit export'),
      nested('image', 'pull tag save load import'),
      nested('compose', 'pull up start stop restart create pause unpause watch wait cp'),
      'volume create, network create, network connect, network disconnect, context use, buildx use, buildx create',
    ].join(', '),
    'lose-work': [
      'rm, rmi, kill',
      nested('container', 'rm prune kill'),
      nested('image', 'rm prune'),
      nested('volume', 'rm prune'),
      nested('network', 'rm prune'),
      nested('compose', 'down rm kill'),
      nested('builder', 'prune'),
      nested('buildx', 'prune rm'),
      'system prune, system reset, context rm, machine rm',
    ].join(', '),
    publish: 'push, image push, compose push, compose publish, manifest push, trust sign',
    credentials: 'login, logout, secret, trust key',
    'run-programs':
      'run, exec, attach, container run, container exec, container attach, compose run, compose exec, compose attach, plugin install, debug',
    remote: 'swarm, service, stack, node',
  },
  options: [
    option('publish', { long: 'push', not: 'p pu pus' }),
    option('run-programs', { long: 'privileged', not: 'p pr pri priv privi' }),
  ],
  allows:
    'aqstn --all --no-trunc --filter= --format= --size --last= --latest --tail= --since= --until= --timestamps --details --follow --no-stream --services --volumes --images --profiles --hash= --no-interpolate --resolve-image-digests --no-log-prefix --orphans --status= --index= --digests --human --type= --limit=',
}

export const CONTAINER_TABLE: CommandTable = {
  ...all('docker podman nerdctl', DOCKER),
  ...all('docker-compose podman-compose', {
    is: 'read',
    check: ({ args, classOf }) => (args.length === 0 ? 'read' : classOf(['docker', 'compose', ...args])),
    allows: ANY,
  }),
  ...all('kubectl oc k', {
    is: 'read',
    takes: {
      long: 'namespace context cluster kubeconfig user server as as-group token cache-dir request-timeout selector output filename',
      letters: 'nsoflv',
    },
    verbs: {
      read: 'get, describe, logs, top, explain, version, api-resources, api-versions, cluster-info, events, diff, auth can-i, auth whoami, config current-context, config get-contexts, config get-clusters, config view, rollout status, rollout history, options, completion, wait, help',
      build: 'kustomize',
      change: 'config use-context, config set-context, config use',
      credentials:
        'create token, config set-credentials, certificate, create secret, serviceaccounts, cluster-info dump',
    },
    other: 'remote',
    options: [
      option('credentials', { long: 'raw' }),
      option('run-programs', { long: 'enable-helm helm-command enable-exec enable-alpha-plugins', not: 'e' }),
    ],
    allows:
      'Awpc:L:R --all-namespaces --watch --watch-only --show-labels --no-headers --sort-by= --field-selector= --label-columns= --since= --since-time= --tail= --follow --previous --timestamps --container= --all-containers --prefix --recursive --client --short --minify --flatten --containers --for= --timeout= --ignore-not-found --chunk-size= --show-kind --api-group= --namespaced? --verbs= --types= --limit-bytes=',
    words: [{ word: /(^|,)secrets?(\.|\/|,|$)/i, is: 'credentials' }],
  }),
  helm: {
    is: 'read',
    takes: { long: 'namespace kube-context kubeconfig', letters: 'n' },
    verbs: {
      read: 'list, ls, status, get notes, get metadata, history, hist, search, show, inspect, version, env, dependency list, dep list, repo list, plugin list, verify, help',
      build: 'template, lint',
      change:
        'dependency update, dependency build, dep update, dep build, repo add, repo update, package, create, pull, fetch',
      publish: 'push',
      credentials: 'registry, get',
      'run-programs': 'plugin',
    },
    other: 'remote',
    options: [option('run-programs', { long: 'post-renderer' })],
    // In this form the status contains all values.
    check: ({ args }) =>
      args.includes('status') && hasOption(args, { long: 'output', letters: 'o', valued: 'n' })
        ? 'credentials'
        : 'read',
    allows:
      'Aaqo:f:l:m: --all-namespaces --all --output= --filter= --max= --revision= --version= --versions --short --date --devel --deployed --failed --selector= --reverse',
  },
  kustomize: {
    is: 'read',
    verbs: { build: 'build', read: 'version, cfg', change: 'edit, create' },
    options: [option('run-programs', { long: 'enable-exec enable-alpha-plugins enable-helm', not: 'e' })],
  },
  ...all('stern kubectx kubens kubeconform kubeval kube-linter kubescape polaris', { is: 'build' }),
  ...all('minikube kind k3d', {
    is: 'read',
    verbs: {
      read: 'status, get clusters, get nodes, version, profile list, cluster list, ip, service list',
      change: 'start, stop, load',
      'lose-work': 'delete',
    },
  }),
  argocd: {
    is: 'read',
    verbs: { read: 'app get, app list, app diff, app history, version, cluster list, repo list' },
    other: 'remote',
  },
  flux: { is: 'read', verbs: { read: 'get, check, logs, tree, diff, version, stats' }, other: 'remote' },
  istioctl: { is: 'read', verbs: { read: 'analyze, version, proxy-status' }, other: 'remote' },

  ...all('terraform tofu terragrunt', {
    is: 'read',
    verbs: {
      read: 'validate, version, providers, graph, state list, state show, workspace list, workspace show, metadata functions',
      build: 'plan',
      change: 'init, get, fmt, providers lock, workspace select, workspace new, hclfmt',
      credentials: 'login, logout, state pull, show, output',
      'run-programs': 'console',
    },
    other: 'remote',
    dry: /^--?check(=true)?$/,
    globals: '-chdir= -no-color',
    allows: '-json -state= -id= -draw-cycles -type= -test-directory=',
  }),
  pulumi: {
    is: 'read',
    verbs: {
      read: 'stack ls, stack output, about, whoami, version, logs',
      build: 'preview',
      change: 'stack select, install',
      credentials: 'login, logout, env, config get',
    },
    other: 'remote',
    options: [option('credentials', { long: 'show-secrets' })],
    allows: 's:jC: --stack= --cwd= --all',
  },
  ansible: { is: 'remote' },
  'ansible-playbook': {
    is: 'remote',
    check: ({ args }) =>
      args.some((arg) => /^--(syntax-check|list-(hosts|tasks|tags))$/.test(arg)) ? 'build' : 'remote',
  },
  'ansible-lint': { is: 'build' },
  'ansible-inventory': { is: 'read', allows: 'i: --list --graph --host= --inventory=' },
  'ansible-vault': { is: 'credentials' },
  packer: {
    is: 'read',
    verbs: { build: 'validate, inspect', change: 'fmt, init' },
    other: 'remote',
    dry: { long: 'check' },
  },
  vagrant: { is: 'read', verbs: { read: 'status, global-status, version, validate, port, box list' }, other: 'remote' },
  cdk: {
    is: 'read',
    verbs: { build: 'synth, synthesize, diff, ls, list, doctor, notices' },
    other: 'remote',
    options: [option('run-programs', { long: 'app', letters: 'a' })],
  },
  ...all('sam serverless sls', {
    is: 'read',
    verbs: { build: 'validate, build, print, package, info, offline' },
    other: 'remote',
  }),
  ...all('tflint tfsec checkov trivy grype syft conftest terraform-docs infracost dive cfn-lint', { is: 'build' }),
}

export const CONTAINER_EXAMPLES: CommandExamples = {
  read: [
    'docker ps -a',
    'docker compose -f a.yml config',
    'kubectl -n a get pods',
    'kubectl config view',
    'helm list',
    'terraform state list',
    'docker-compose logs web',
  ],
  build: [
    'docker build -t a .',
    'terraform plan',
    'terraform -chdir=a fmt -check',
    'helm template .',
    'pulumi preview',
  ],
  change: ['docker compose up -d', 'terraform init', 'terraform fmt', 'docker pull alpine'],
  'lose-work': [
    'docker rm -f a',
    'docker system prune',
    'docker-compose down -v',
    'docker --context x rmi a',
    'docker volume rm a',
    'kubectl --unlisted get delete pod a',
  ],
  publish: ['docker push a', 'docker buildx build --push .'],
  remote: [
    'kubectl delete pod web',
    'kubectl -n prod apply -f a',
    'helm upgrade a b',
    'terraform apply',
    'terraform state rm a',
    'pulumi up',
    'kubectl exec web -- sh',
    'kubectl frobnicate',
  ],
  credentials: [
    'kubectl get secret a -o yaml',
    'kubectl get secrets',
    'kubectl config view --raw',
    'docker login',
    'terraform state pull',
    'terraform output',
    'terraform show -no-color plan',
    'kubectl cluster-info dump --output-directory a',
    'helm get values a',
    'helm status a -o yaml',
    'pulumi config get a',
  ],
  'run-programs': ['docker run alpine sh', 'docker exec a sh', 'docker compose exec a sh'],
  unknown: [
    'docker compose config -o a',
    'kubectl get pods --frobnicate a',
    'docker frobnicate',
    'docker image frobnicate',
  ],
}
