# One image for every role: `assay start`, `api`, `stream`, `writer`, `keys`, `import`. See docs/operate/install.md.
#   docker build -t assay .
#   docker run -p 8080:8080 -v assay:/data --read-only assay
# What is built runs on any processor, so this stage runs on the builder's own.
FROM --platform=$BUILDPLATFORM node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
ARG REVISION
RUN ASSAY_COMMIT=$REVISION npm run build && deploy/layout.sh /image/app && mkdir -p /image/data /image/usr/local/bin \
  && ln -s /app/apps/cli/bin/assay.mjs /image/usr/local/bin/assay && chown 65534:65534 /image/data && chmod 700 /image/data

FROM node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Assay" \
  org.opencontainers.image.description="An open, self-hostable precious-metals pricing service" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.source="https://github.com/assay-metals/assay" \
  org.opencontainers.image.documentation="https://github.com/assay-metals/assay/blob/main/docs/operate/install.md" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
# Owned by root, so that the service cannot change its own code; /data keeps its owner.
COPY --from=build /image/ /
# Metrics, and whether it lives and is ready, for every role; not published unless you do.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 METRICS_PORT=9090 DATA_DIR=/data
WORKDIR /data
VOLUME /data
EXPOSE 8080 9090
USER 65534:65534
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["assay"]
CMD ["start"]
