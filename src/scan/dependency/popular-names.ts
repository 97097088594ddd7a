const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/**
 * Packages that very many use, and well-known ones that are near to them. Only names of five
 * letters and more can be mistaken; the shorter ones are here so that they are never suspected.
 */
export const POPULAR: Readonly<Record<"npm" | "python", ReadonlySet<string>>> = {
  npm: words(`
    react preact react-dom react-native react-router react-router-dom react-redux redux redux-thunk
    vue vuex vue-router nuxt next svelte angular rxjs jquery backbone ember-cli
    lodash lodash-es underscore ramda immer immutable moment dayjs date-fns luxon
    express fastify koa hapi restify body-parser cookie-parser cookie-session express-session cors
    helmet morgan multer passport compression serve-static connect socket.io socket.io-client
    axios request node-fetch got superagent undici cheerio jsdom puppeteer playwright selenium-webdriver
    commander yargs minimist inquirer chalk colors color kleur picocolors ora debug dotenv cross-env
    cross-spawn execa shelljs rimraf mkdirp glob globby fast-glob minimatch micromatch picomatch
    chokidar fs-extra graceful-fs async bluebird through2 readable-stream semver uuid nanoid
    winston pino bunyan log4js loglevel
    webpack webpack-cli webpack-dev-server rollup parcel vite esbuild babel-core babel-loader
    css-loader style-loader sass-loader postcss autoprefixer tailwindcss sass less node-sass bootstrap
    typescript ts-node ts-loader tslib eslint prettier stylelint husky lint-staged nodemon concurrently
    mocha chai jest vitest jasmine karma sinon supertest cypress nyc ts-jest
    mongoose mongodb mysql mysql2 pg sqlite3 sequelize typeorm prisma knex redis ioredis
    jsonwebtoken bcrypt bcryptjs crypto-js validator joi yup zod ajv class-validator class-transformer
    graphql apollo-server apollo-client ethers web3 aws-sdk firebase firebase-admin stripe nodemailer
    sharp jimp canvas d3 chart.js three leaflet electron electron-builder
    handlebars mustache ejs pug nunjucks marked markdown-it highlight.js showdown
    ws qs ms ip level events util buffer process path-to-regexp prop-types classnames styled-components
    js-yaml yaml ini xml2js fast-xml-parser csv-parse papaparse iconv-lite mime mime-types form-data
    tough-cookie agent-base https-proxy-agent lru-cache p-limit p-queue p-map delay retry
    core-js regenerator-runtime whatwg-fetch isomorphic-fetch object-assign inherits
  `),
  python: words(`
    requests urllib3 httpx aiohttp httplib2 certifi idna charset-normalizer chardet
    django flask fastapi starlette tornado bottle pyramid sanic uvicorn gunicorn hypercorn werkzeug
    jinja2 markupsafe click typer rich colorama tqdm tabulate
    numpy scipy pandas matplotlib seaborn plotly bokeh scikit-learn sklearn-pandas statsmodels
    tensorflow torch torchvision keras xgboost lightgbm transformers datasets tokenizers spacy nltk
    gensim opencv-python pillow imageio scikit-image
    sqlalchemy alembic psycopg2 psycopg2-binary pymysql pymongo redis celery kombu peewee asyncpg
    boto3 botocore s3transfer awscli google-api-python-client google-cloud-storage azure-core
    cryptography pycryptodome pyopenssl paramiko bcrypt passlib pyjwt oauthlib requests-oauthlib
    pytest pytest-cov coverage tox mock hypothesis nose faker factory-boy
    black flake8 pylint mypy isort ruff pre-commit bandit autopep8
    setuptools wheel virtualenv pipenv poetry packaging twine build
    pyyaml toml tomli ujson orjson simplejson msgpack protobuf grpcio pydantic marshmallow attrs
    beautifulsoup4 lxml html5lib scrapy selenium playwright mechanize
    python-dateutil pytz arrow pendulum six future typing-extensions dataclasses python-dotenv
    jupyter notebook ipython ipykernel jupyterlab nbconvert
    docker kubernetes ansible fabric psutil pexpect watchdog loguru structlog sentry-sdk
    discord.py python-telegram-bot tweepy stripe twilio openai langchain streamlit gradio
    markdown docutils sphinx mkdocs pygments
  `),
};
