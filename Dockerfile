# Built with all dependencies, shipped with those of production, which are plain JavaScript.
# Images are pinned by digest. Dependabot (.github/dependabot.yml) renews the pins here and in compose.yaml each week; by hand, this prints
# the digest of a tag: docker buildx imagetools inspect node:24-alpine --format '{{.Manifest.Digest}}'
FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY docs/openapi.json ./docs/
COPY scripts ./scripts
COPY src ./src
COPY views ./views
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:24.21.0-alpine@sha256:be80f76cf40ec8e42b9bec49f60a55e0660f30af58d3e5a25530785b30ea67e2
ENV NODE_ENV=production \
    USHER_SECRETS_FILE=/var/lib/usher/secrets.json
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
COPY views ./views
RUN mkdir -p /var/lib/usher /etc/usher && chown node:node /var/lib/usher && chmod 700 /var/lib/usher
USER node
# Keys that nobody configured. Losing it voids every place in line, so it is a volume.
VOLUME /var/lib/usher
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/main.js"]
CMD ["serve", "--config", "/etc/usher/usher.yaml"]
