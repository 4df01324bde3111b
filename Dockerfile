# Container that runs as an unprivileged user on a read-only file system with one volume:
#
#     docker build -t edgewise .
#     docker run --read-only --cap-drop ALL -v edgewise:/data -p 127.0.0.1:8501:8501 edgewise
#
# See docs/deploy.md for a proxy with TLS.
FROM python:3.11-slim-bookworm

WORKDIR /src
COPY requirements.txt .ci/constraints.txt ./
RUN pip install --no-cache-dir -r requirements.txt -c constraints.txt
COPY pyproject.toml setup.py README.md LICENSE app.py mkdocs.yml ./
COPY .streamlit .streamlit
COPY learners learners
COPY lessons lessons
COPY pages pages
COPY sample_data sample_data
COPY viz viz
COPY docs docs
# The documentation becomes part of the package.
RUN pip install --no-cache-dir -r docs/requirements.txt -c constraints.txt && python -B -m mkdocs build --quiet
RUN pip install --no-cache-dir --no-deps .

# The only folders written to: compiled kernels, visitors' work, and incoming uploads.
ENV HOME=/data EDGEWISE_CACHE=/data/cache EDGEWISE_DATA=/data/work TMPDIR=/data/tmp
RUN mkdir -p /data/tmp && chown -R 10001:10001 /data
WORKDIR /data
USER 10001:10001
# A new volume starts with the kernels compiled here; another processor type compiles them again.
RUN edgewise warm-up
VOLUME /data

ENV STREAMLIT_SERVER_ADDRESS=0.0.0.0 STREAMLIT_SERVER_FILE_WATCHER_TYPE=none STREAMLIT_SERVER_BASE_URL_PATH=""
EXPOSE 8501
HEALTHCHECK --start-period=60s --interval=30s --timeout=5s CMD python -c "import os, urllib.request as web; \
    path = os.environ['STREAMLIT_SERVER_BASE_URL_PATH'] + '/_stcore/health'; \
    web.urlopen('http://127.0.0.1:8501/' + path.lstrip('/'))"
ENTRYPOINT ["edgewise", "app"]
