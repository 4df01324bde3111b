"""Edgewise for `streamlit run`: the server takes `app` from here and runs this file for each visitor."""

if __name__ == "__main__":
    from pages.lifespan import wait_until_prepared

    wait_until_prepared()
    from pages.navigation import show

    show()
else:  # imports no page, so that the server answers at once
    import streamlit as st
    from starlette.middleware import Middleware
    from starlette.routing import Route

    from pages import documentation, join_pages
    from pages.lifespan import check_scheduler, serving
    from pages.metrics import metrics
    from pages.session.guard import Guard

    check_scheduler()
    routes = [Route("/metrics", metrics), *join_pages.routes(), *documentation.routes()]
    app = st.App(__file__, middleware=[Middleware(Guard)], routes=routes, lifespan=serving)
