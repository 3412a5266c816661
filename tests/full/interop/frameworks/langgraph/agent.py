"""A graph with messages, for `langgraph dev`."""

from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph


async def answer(state: MessagesState) -> dict:
    return {"messages": [await ChatOpenAI(model="gpt-4o-mini").ainvoke(state["messages"])]}


graph = StateGraph(MessagesState).add_node(answer).add_edge(START, "answer").compile()
